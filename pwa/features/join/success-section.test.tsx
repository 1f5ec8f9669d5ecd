// Dexie looks for it as it loads.
import 'fake-indexeddb/auto'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tiers } from '#pwa/testing/public-data.ts'
import { renderInApp } from '#pwa/testing/render-in-app.tsx'
import { SuccessStep } from './success-section.tsx'

const user = {
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
const subscription = {
  ...{ status: 'active', next_billing_date: 1783842000, label: 'Active', showsBanner: false, hasAccess: true },
  ...{ isComplimentary: false, isRevoked: false, plan: null, firstPaymentOn: null, endsOn: null, graceEndsOn: null },
  ...{ offer: 'already_active', nextPlan: null, openInvoice: null },
}

const responses: Record<string, unknown> = {
  '/api/membership-tiers': { success: true, tiers },
  '/api/auth/user': user,
  '/api/billing/subscription': subscription,
}

beforeEach(() => {
  window.scrollTo = () => {}
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    Object.assign(
      async (address: string | URL | Request) =>
        Response.json(responses[new URL(String(address), 'http://localhost').pathname]),
      { preconnect: () => {} },
    ),
  )
  vi.useFakeTimers({ shouldAdvanceTime: true })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function show(isActive = true) {
  const { router } = renderInApp(<SuccessStep tierSlug="standard" isActive={isActive} />)
  const navigate = vi.spyOn(router, 'navigate').mockResolvedValue()
  return () => navigate.mock.calls.map(([{ to }]) => to)
}

const seconds = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 1000))

test('JOIN-14 the members’ area opens after 5 seconds', async () => {
  const visited = show()
  await seconds(4)
  expect(visited()).toEqual([])
  await seconds(1.1)
  expect(visited()).toEqual(['/members'])
})

test('the first touch of the password form keeps the page, and shows the address to put right', async () => {
  const visited = show()
  const email = await screen.findByLabelText('Email')
  expect(email).toHaveProperty('value', 'sam@example.com')
  fireEvent.focus(screen.getByLabelText('New password'))
  await seconds(10)
  expect(visited()).toEqual([])
})

test('a payment that is not confirmed yet is not called active', async () => {
  show(false)
  expect(screen.getByText('Your payment is still being confirmed')).toBeTruthy()
})
