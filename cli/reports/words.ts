import type { Tone } from '#cli/table.ts'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'

export const nothing = '–'

/** 12 July 2026, 07:40: on London's clocks, so that two owners read the same. */
export const timeWords = (instant: string | null) =>
  instant === null ? nothing : `${formatLongDate(instant)}, ${formatClock(instant, 'Europe/London')}`

export const dayWords = (when: string | null) => (when === null ? nothing : formatLongDate(when))

const tierWords: Record<TierSlug, string> = { lite: 'Lite', standard: 'Standard', xl: 'XL' }
export const tierWord = (tier: TierSlug | null) => (tier === null ? nothing : tierWords[tier])

/** The provider's own word for a subscription: `past_due` is "Past due". */
export const providerWord = (status: SubscriptionStatus) =>
  status === 'none' ? nothing : status.replace('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

type State = { status: SubscriptionStatus; label: string; isComplimentary: boolean; isAdmin: boolean }

/** As Billing calls it. Owners run the place; that they never joined is no news. */
export function stateWords({ status, label, isComplimentary, isAdmin }: State): string {
  if (isAdmin && status === 'none') return nothing
  return isComplimentary ? 'Complimentary' : label
}

export function statusTone(status: SubscriptionStatus): Tone | undefined {
  if (status === 'active' || status === 'trialing') return 'ok'
  return status === 'past_due' || status === 'unpaid' ? 'bad' : 'quiet'
}

type Named = { firstName: string | null; lastName: string | null }
export const fullName = ({ firstName, lastName }: Named) => `${firstName ?? ''} ${lastName ?? ''}`.trim() || nothing

export const yesOrNo = (is: boolean) => (is ? 'yes' : 'no')
