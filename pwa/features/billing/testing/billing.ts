import type { BillingSubscription } from '#shared/contract/billing.ts'

export const billingOf = (changes: Partial<BillingSubscription> = {}): BillingSubscription => ({
  status: 'active',
  next_billing_date: Date.UTC(2026, 6, 12, 9) / 1000,
  label: 'Active',
  showsBanner: false,
  hasAccess: true,
  isComplimentary: false,
  isRevoked: false,
  isOwner: false,
  hasBeenMember: true,
  plan: { slug: 'xl', name: 'Alliance XL', net: 45_000, vat: 9_000, total: 54_000 },
  firstPaymentOn: null,
  endsOn: null,
  endedOn: null,
  graceEndsOn: null,
  offer: 'already_active',
  nextPlan: null,
  openInvoice: null,
  ...changes,
})
