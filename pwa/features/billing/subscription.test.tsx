import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SubscriptionPanel } from './subscription.tsx'
import { billingOf } from './testing/billing.ts'

const active = billingOf()

const rows = () =>
  Object.fromEntries(
    screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent ?? '']),
  )

test('BILL-02 an active subscription shows the member’s own plan with VAT, and the next billing date', () => {
  render(<SubscriptionPanel billing={active} />)
  expect(screen.getByText('Active')).toBeTruthy()
  expect(rows()).toEqual({
    'Plan, £450 + VAT/month': '£450.00',
    'VAT 20%': '£90.00',
    'Total a month': '£540.00',
    'Next billing date': '12 July 2026',
  })
  expect(screen.queryByRole('link')).toBeNull()
})

test('what’s in the next payment beside the membership is told apart from its own price, at its own rate', () => {
  const plan = { slug: 'xl' as const, name: 'XL', net: 45_000, vat: 2_250, vatRate: 5, total: 47_250 }
  const next = { on: '2026-07-12', net: 49_000, vat: 3_050, total: 52_050, fromCredit: 0, due: 52_050 }
  const others = [{ description: '1 × Text messages', total: 4_800 }]
  render(<SubscriptionPanel billing={{ ...active, plan, nextPayment: { ...next, others } }} />)
  expect(rows()).toMatchObject({
    'VAT 5%': '£22.50',
    'Total a month': '£472.50',
    'Added: 1 × Text messages': '£48.00',
    'Next payment': '£520.50',
  })
})

test('BILL-02 CONST-11 LIMIT-1 without a plan it shows the specified price, without a date N/A', () => {
  render(<SubscriptionPanel billing={{ ...active, plan: null, next_billing_date: null }} />)
  expect(rows()).toMatchObject({ 'Plan, £250 + VAT/month': '£250.00', 'Next billing date': 'N/A' })
})

test.each(['none', 'incomplete', 'past_due', 'unpaid', 'canceled', 'paused'] as const)(
  'a subscription that is %s has no next billing date',
  (status) => {
    render(<SubscriptionPanel billing={{ ...active, status, label: 'No Active Subscription', plan: null }} />)
    expect(screen.getByText('No Active Subscription')).toBeTruthy()
    expect(screen.queryByText('Next billing date')).toBeNull()
  },
)

test('a trial that is set up says when it pays first', () => {
  const label = 'Set up – first payment on 12 July 2026'
  render(<SubscriptionPanel billing={{ ...active, status: 'trialing', label }} />)
  expect(screen.getByText(label)).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})
