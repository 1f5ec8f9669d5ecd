import * as v from 'valibot'
import { MembershipApplicationForm } from '#shared/contract/application.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { type ApplicationDraft, emptyDraft } from './application-draft.ts'
import { type KeptPurchase, readApplication, readPurchase } from './join-store.ts'

export type Purchase = Omit<KeptPurchase, 'keptAt'>

/** Who buys, once the application is sent or an account is known. */
export type Buyer = Pick<Purchase, 'email' | 'name' | 'applicationId'>

/** `tier` is the one chosen before, shown as selected and never sent by itself. */
export type JoinState =
  | { step: 'application'; draft: ApplicationDraft; tier: TierSlug | null }
  | { step: 'tier-selection'; form: MembershipApplicationForm; tier: TierSlug | null }
  /** The application is in already, and only another tier is wanted. */
  | { step: 'tier-selection'; form: null; buyer: Buyer; tier: TierSlug | null }
  | { step: 'payment'; purchase: Purchase }
  | { step: 'success'; tierSlug: TierSlug; isActive: boolean }

/** The steps as the stepper names them. */
export const stepNames = ['Application', 'Tier', 'Payment', 'Done'] as const

const places = { application: 0, 'tier-selection': 1, payment: 2, success: stepNames.length }
export const placeOf = ({ step }: JoinState) => places[step]

/** Where joining goes on: a finished application comes first, then a payment, then what was typed so far. */
export function resumedState(chosenTier: TierSlug | null): JoinState {
  const kept = readApplication()
  const tier = chosenTier ?? kept?.tier ?? null
  if (kept?.isReady) {
    const read = v.safeParse(MembershipApplicationForm, kept.draft)
    if (read.success) return { step: 'tier-selection', form: read.output, tier }
  }
  const purchase = readPurchase()
  if (purchase && !kept) return { step: 'payment', purchase }
  return { step: 'application', draft: kept?.draft ?? emptyDraft, tier }
}
