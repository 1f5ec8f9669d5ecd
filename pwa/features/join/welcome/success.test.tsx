// Dexie looks for it when it loads.
import 'fake-indexeddb/auto'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isPaidNoticeOpen } from '#pwa/features/billing/paid/paid-notice-storage.ts'
import { billingOf } from '#pwa/features/billing/testing/billing.ts'
import { tiers } from '#pwa/testing/public-data.ts'
import { renderInApp } from '#pwa/testing/render-in-app.tsx'
import { useSlowTimers } from '#pwa/testing/slow-timers.ts'
import type { SessionUser } from '#shared/contract/auth.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { SuccessStep } from './success.tsx'

const user: SessionUser = {
  id: '0192f0c1-0000-7000-8000-000000000001',
  email: 'sam@example.com',
  firstName: 'Sam',
  lastName: 'Field',
  phone: null,
  businessName: null,
  trade: null,
  profileImageUrl: null,
  isAdmin: false,
  isMember: true,
  isImpersonating: false,
  membershipTier: 'standard',
  membershipStartDate: null,
  hasPassword: false,
  createdAt: '2026-06-12T07:40:00.000Z',
}
const seconds1970 = (at: string) => Date.parse(at) / 1000
const invoices = [
  {
    id: '7',
    number: 'A-000007',
    status: 'paid',
    created: seconds1970('2026-06-12T07:40:00Z'),
    total: 54_000,
    hosted_invoice_url: '/page/7',
    invoice_pdf: '/pdf/7',
  },
] as const
const responses: Record<string, unknown> = {
  '/api/membership-tiers': { success: true, tiers },
  '/api/auth/user': user,
  '/api/billing/subscription': billingOf({ next_billing_date: seconds1970('2026-07-12T07:40:00Z') }),
}

beforeEach(() => {
  responses['/api/billing/invoices'] = invoices
  window.scrollTo = () => {}
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    Object.assign(
      async (address: string | URL | Request) =>
        Response.json(responses[new URL(String(address), 'http://localhost').pathname]),
      { preconnect: () => {} },
    ),
  )
  useSlowTimers()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function show(isActive = true, tierSlug: TierSlug = 'standard') {
  const { router } = renderInApp(<SuccessStep tierSlug={tierSlug} isActive={isActive} />)
  const navigate = vi.spyOn(router, 'navigate').mockResolvedValue()
  return () => navigate.mock.calls.map(([{ to }]) => to)
}

const nameOf = (slug: TierSlug) => tiers.find((tier) => tier.slug === slug)?.name

const seconds = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 1000))

test('JOIN-14 the members’ area opens after 5 seconds', async () => {
  const visited = show()
  await seconds(4)
  expect(visited()).toEqual([])
  await seconds(1.1)
  expect(visited()).toEqual(['/members'])
})

test.each([
  ['lite', ['Community access', 'Training videos']],
  ['standard', ['Community access', 'Training videos', '30-minute monthly coaching call']],
  ['xl', ['Community access', 'Training videos', 'Weekly accountability sessions', '1-hour monthly coaching call']],
] as const)('JOIN-12 step 4 lists what %s includes, and nothing else', async (slug, included) => {
  show(true, slug)
  const heading = await screen.findByRole('heading', { name: `${nameOf(slug)} includes` })
  const listed = within(heading.closest('section') ?? document.body).getAllByRole('listitem')
  expect(listed.map(({ textContent }) => textContent)).toEqual(included)
})

test('the first touch of the password form keeps the page open, and shows the address to correct', {
  tags: ['full'],
}, async () => {
  const visited = show()
  const email = await screen.findByLabelText('Email')
  expect(email).toHaveProperty('value', 'sam@example.com')
  fireEvent.focus(screen.getByLabelText('New password'))
  await seconds(10)
  expect(visited()).toEqual([])
})

test('what was paid is shown, and stays in the members’ area until it is closed', { tags: ['full'] }, async () => {
  show()
  const slip = within(await screen.findByRole('status', { name: 'Your payment' }))
  expect(slip.getByText('Paid')).toBeTruthy()
  expect(slip.getByText('£540.00')).toBeTruthy()
  expect(slip.getByText('12 June 2026')).toBeTruthy()
  expect(slip.getByRole('link', { name: 'A-000007' }).getAttribute('href')).toBe('/pdf/7')
  expect(slip.getByText('Paid until 12 July 2026. Then we’ll take £540.00 for the next month.')).toBeTruthy()
  expect(slip.queryByRole('button')).toBeNull()
  expect(isPaidNoticeOpen()).toBe(true)
})

test('a payment of an earlier membership is not shown as this one', async () => {
  const [paid] = invoices
  responses['/api/billing/invoices'] = [{ ...paid, created: paid.created - 40 * 86_400 }]
  show()
  await seconds(3)
  expect(screen.queryByRole('status', { name: 'Your payment' })).toBeNull()
})

test('a payment that is not confirmed yet is not called active', async () => {
  show(false)
  expect(screen.getByText('We’re still confirming your payment')).toBeTruthy()
})
