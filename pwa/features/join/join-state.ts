import * as v from 'valibot'
import { MembershipApplicationForm } from '#shared/contract/application.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { type ApplicationDraft, emptyDraft, isEmptyDraft } from './application-draft.ts'
import { type Purchase, readApplication, readDone, readPurchase, readSentForm } from './join-store.ts'

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

/**
 * Where joining goes on: a payment just made comes first, then a finished application, a payment that was begun, and what
 * was typed so far.
 */
export function resumedState(chosenTier: TierSlug | null): JoinState {
  const done = readDone()
  if (done && chosenTier === null) return { step: 'success', ...done }
  const kept = readApplication()
  const tier = chosenTier ?? kept?.tier ?? null
  if (kept?.isReady) {
    const read = v.safeParse(MembershipApplicationForm, kept.draft)
    if (read.success) return { step: 'tier-selection', form: read.output, tier }
  }
  const purchase = readPurchase()
  if (purchase && (!kept || isEmptyDraft(kept.draft))) return resumedPurchase(purchase, chosenTier)
  return { step: 'application', draft: kept?.draft ?? emptyDraft, tier }
}

/** Another tier that was chosen since is asked about, not taken for granted. */
function resumedPurchase(purchase: Purchase, chosenTier: TierSlug | null): JoinState {
  if (chosenTier === null || chosenTier === purchase.tierSlug) return { step: 'payment', purchase }
  const form = readSentForm()
  const tier = chosenTier
  return form
    ? { step: 'tier-selection', form, tier }
    : { step: 'tier-selection', form: null, buyer: buyerOf(purchase), tier }
}

export const buyerOf = ({ email, name, applicationId }: Purchase): Buyer => ({ email, name, applicationId })
