import { describe, expect, test } from 'vitest'
import { type BillingSubscription, subscriptionStatuses } from '#shared/contract/billing.ts'
import { bannerAction } from './billing-banner.tsx'
import { billingOf } from './testing/billing.ts'

const billing = (changes: Partial<BillingSubscription>) =>
  billingOf({ showsBanner: true, hasAccess: false, plan: null, next_billing_date: null, ...changes })

describe('MEMB-06 the billing banner', () => {
  test('shows where the server says so and something is to be done', () => {
    for (const status of [...subscriptionStatuses, 'none'] as const)
      expect(bannerAction(billing({ status, showsBanner: false }))).toBeNull()
    const labels = (['none', 'canceled', 'incomplete', 'incomplete_expired', 'past_due', 'unpaid'] as const).map(
      (status) => bannerAction(billing({ status }))?.label,
    )
    const [back, due] = ['Reactivate', 'Pay now']
    expect(labels).toEqual([back, back, 'Finish paying', back, due, due])
  })

  test('asks nothing of a guest', () => {
    expect(bannerAction(billing({ status: 'none', isComplimentary: true }))).toBeNull()
  })
})
