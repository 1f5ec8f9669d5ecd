import { expect, test } from 'vitest'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { billingOf } from './testing/billing.ts'
import { allowedActions } from './use-billing-context.tsx'

const open = { id: 'in_1', net: 25_000, vat: 5_000, total: 30_000, created: '2026-06-01T09:00:00.000Z' }

const offered = (more: Partial<BillingSubscription>, isReadOnly = false) =>
  Object.entries(allowedActions(billingOf(more), { isReadOnly }))
    .filter(([, isOffered]) => isOffered)
    .map(([name]) => name)

test('BILL-02 an active membership changes its tier and its card, and can be cancelled', () => {
  expect(offered({})).toEqual(['changeTier', 'cancel', 'changeCard', 'changeAddress'])
  expect(offered({ status: 'trialing' })).toEqual(['changeTier', 'cancel', 'changeCard', 'changeAddress'])
})

test('one that ends is resumed instead', () => {
  expect(offered({ endsOn: '2026-07-12' })).toEqual(['resume', 'changeCard', 'changeAddress'])
})

test('a booked change can be undone', () => {
  const nextPlan = { slug: 'lite', name: 'Alliance Lite', net: 1, vat: 0, total: 1, from: '2026-07-12' } as const
  expect(offered({ nextPlan })).toContain('undoTier')
})

test('any other status leads to reactivating; what is owed is paid first', () => {
  for (const status of ['none', 'canceled', 'incomplete_expired', 'incomplete'] as const)
    expect(offered({ status, openInvoice: open })).toEqual(['changeAddress', 'reactivate'])
  for (const status of ['past_due', 'unpaid'] as const)
    expect(offered({ status })).toEqual(['pay', 'cancel', 'changeCard', 'changeAddress', 'reactivate'])
  expect(offered({ status: 'paused' })).toEqual(['cancel', 'resume', 'changeCard', 'changeAddress', 'reactivate'])
})

test('somebody whose access was ended can only cancel', () => {
  expect(offered({ isRevoked: true })).toEqual(['cancel'])
  expect(offered({ isRevoked: true, status: 'past_due', openInvoice: open })).toEqual(['cancel'])
  expect(offered({ isRevoked: true, status: 'canceled' })).toEqual([])
})

test('an owner who looks in changes nothing', () => {
  expect(offered({}, true)).toEqual([])
  expect(offered({ status: 'past_due', openInvoice: open }, true)).toEqual(['reactivate'])
})

test('an owner is sold nothing', () => {
  expect(offered({ isOwner: true, status: 'none' })).toEqual(['changeAddress'])
})
