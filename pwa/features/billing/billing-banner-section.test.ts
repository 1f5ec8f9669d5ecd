import { describe, expect, test } from 'vitest'
import { type BillingSubscription, subscriptionStatuses } from '#shared/contract/billing.ts'
import { bannerTexts } from './billing-banner-section.tsx'
import { billingOf } from './testing/billing.ts'

const billing = (changes: Partial<BillingSubscription>) =>
  billingOf({ showsBanner: true, hasAccess: false, plan: null, next_billing_date: null, ...changes })

describe('MEMB-06 the billing banner', () => {
  test('shows exactly when the server says so', () => {
    for (const status of [...subscriptionStatuses, 'none'] as const) {
      expect(bannerTexts(billing({ status, showsBanner: false }))).toBeNull()
      expect(bannerTexts(billing({ status }))).not.toBeNull()
    }
  })

  test('says until when an unpaid renewal keeps its access', () => {
    const texts = bannerTexts(billing({ status: 'past_due', hasAccess: true, graceEndsOn: '2026-06-14' }))
    expect(texts?.text).toContain('You keep your access until 14 June 2026.')
  })

  test('says when the access of an unpaid renewal ended', () => {
    const texts = bannerTexts(billing({ status: 'past_due', graceEndsOn: '2026-06-14' }))
    expect(texts?.text).toContain('Your access ended on 14 June 2026.')
  })

  test('tells the other states apart', () => {
    const titles = (['none', 'canceled', 'incomplete', 'unpaid'] as const).map((status) =>
      bannerTexts(billing({ status })),
    )
    expect(titles.map((texts) => texts?.action)).toEqual(['Choose a tier', 'Reactivate', 'Finish it', 'Put it right'])
  })

  test('sells nothing to somebody whom the owners have shut out, and asks nothing of a guest', () => {
    expect(bannerTexts(billing({ status: 'canceled', isRevoked: true }))?.text).toContain('Please contact us.')
    expect(bannerTexts(billing({ status: 'none', isComplimentary: true }))?.text).toContain('nothing to pay')
  })
})
