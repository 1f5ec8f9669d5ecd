import { type BankErrand, bankErrands } from '#pwa/features/billing/search.ts'

/** The members' area's tabs, in order; the first is the page without a `tab` in its address. */
const memberTabs = ['dashboard', 'profile', 'billing'] as const
export type MemberTab = (typeof memberTabs)[number]

/** `payment_intent` and `redirect_status` come from Stripe. With `errand` Billing sent the member there, otherwise joining did. */
export type MembersSearch = {
  tab?: Exclude<MemberTab, 'dashboard'>
  errand?: BankErrand
  payment_intent?: string
  redirect_status?: string
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function readMembersSearch({ tab, ...rest }: Record<string, unknown>): MembersSearch {
  const payment = text(rest.payment_intent)
  const status = text(rest.redirect_status)
  const errand = bankErrands.find((known) => known === rest.errand)
  if (tab === 'billing' && errand) return { tab, errand, ...(status ? { redirect_status: status } : {}) }
  return {
    ...(tab === 'profile' || tab === 'billing' ? { tab } : {}),
    ...(payment ? { payment_intent: payment } : {}),
    ...(payment && status ? { redirect_status: status } : {}),
  }
}
