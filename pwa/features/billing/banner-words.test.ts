import { describe, expect, test } from 'vitest'
import { type BillingSubscription, subscriptionStatuses } from '#shared/contract/billing.ts'
import { bannerWords } from './banner-words.ts'

const billing = (more: Partial<BillingSubscription>): BillingSubscription => ({
  status: 'active',
  next_billing_date: null,
  label: 'Active',
  showsBanner: true,
  hasAccess: false,
  isComplimentary: false,
  isRevoked: false,
  plan: null,
  firstPaymentOn: null,
  endsOn: null,
  graceEndsOn: null,
  offer: 'already_active',
  nextPlan: null,
  openInvoice: null,
  ...more,
})

describe('MEMB-06 the billing banner', () => {
  test('shows exactly when the server says so', () => {
    for (const status of [...subscriptionStatuses, 'none'] as const) {
      expect(bannerWords(billing({ status, showsBanner: false }))).toBeNull()
      expect(bannerWords(billing({ status }))).not.toBeNull()
    }
  })

  test('says until when an unpaid renewal keeps its access', () => {
    const words = bannerWords(billing({ status: 'past_due', hasAccess: true, graceEndsOn: '2026-06-14' }))
    expect(words?.text).toContain('You keep your access until 14 June 2026.')
  })

  test('says when the access of an unpaid renewal ended', () => {
    const words = bannerWords(billing({ status: 'past_due', graceEndsOn: '2026-06-14' }))
    expect(words?.text).toContain('Your access ended on 14 June 2026.')
  })

  test('tells the other states apart', () => {
    const titles = (['none', 'canceled', 'incomplete', 'unpaid'] as const).map((status) =>
      bannerWords(billing({ status })),
    )
    expect(titles.map((words) => words?.action)).toEqual(['Choose a tier', 'Reactivate', 'Finish it', 'Put it right'])
  })

  test('sells nothing to somebody whom the owners have shut out, and asks nothing of a guest', () => {
    expect(bannerWords(billing({ status: 'canceled', isRevoked: true }))?.text).toContain('Please contact us.')
    expect(bannerWords(billing({ status: 'none', isComplimentary: true }))?.text).toContain('nothing to pay')
  })
})
