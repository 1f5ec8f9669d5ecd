import type { BillingSubscription, NextPayment } from '#shared/contract/billing.ts'

export const nextPayment: NextPayment = {
  on: '2026-07-12',
  net: 45_000,
  vat: 9_000,
  total: 54_000,
  fromCredit: 0,
  due: 54_000,
  isEveryMonth: true,
}

/** A free month, as the provider previews it. */
export const freeMonth: NextPayment = {
  ...nextPayment,
  net: 0,
  vat: 0,
  total: 0,
  due: 0,
  isEveryMonth: undefined,
}

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
  nextPayment,
  openInvoice: null,
  ...changes,
})
