import { useState } from 'react'
import * as v from 'valibot'
import { takeSelectedTier } from '#pwa/features/tiers/selected-tier-storage.ts'
import { MembershipApplicationForm } from '#shared/contract/application.ts'
import { MembershipTier, type TierSlug } from '#shared/contract/tier.ts'
import {
  type ApplicationDraft,
  clearApplication,
  clearPurchase,
  clearSentForm,
  emptyApplication,
  emptyDraft,
  isEmptyDraft,
  type Purchase,
  readApplication,
  readJoinResult,
  readPurchase,
  readSentForm,
  saveApplication,
  saveJoinResult,
  savePurchase,
  saveSentForm,
} from './join-storage.ts'

/** Known once the application is sent, or the buyer is logged in. */
export type Buyer = Pick<Purchase, 'email' | 'name' | 'applicationId'>

/** `tier` was chosen before: it is shown as selected, and never sent unless it is chosen again. */
type JoinState =
  | { step: 'application'; draft: ApplicationDraft; tier: TierSlug | null }
  | { step: 'tier-selection'; form: MembershipApplicationForm; tier: TierSlug | null }
  /** The application was sent before, and the buyer wants another tier. */
  | { step: 'tier-selection'; form: null; buyer: Buyer; tier: TierSlug | null }
  | { step: 'payment'; purchase: Purchase }
  | { step: 'success'; tierSlug: TierSlug; isActive: boolean }

/** The labels of the steps. */
export const stepNames = ['Application', 'Tier', 'Payment', 'Done'] as const

const stepIndexes = { application: 0, 'tier-selection': 1, payment: 2, success: stepNames.length }
export const stepIndexOf = ({ step }: JoinState) => stepIndexes[step]

export type Join = ReturnType<typeof useJoin>

/** The current step of joining, and the moves between the steps. Each move stores on this device what a reload needs. */
export function useJoin() {
  const [state, setState] = useState(resume)
  const [hasMoved, setMoved] = useState(false)
  const go = (next: JoinState) => {
    setMoved(true)
    setState(next)
  }
  return { state, hasMoved, ...movesFrom(state, setState, go) }
}

/** A tier that was chosen on another page is stored with the application, since it can be read only once. */
function resume(): JoinState {
  const selected = v.safeParse(MembershipTier, takeSelectedTier())
  const chosen = selected.success ? selected.output.slug : null
  if (chosen && !readPurchase()) saveApplication({ ...(readApplication() ?? emptyApplication), tier: chosen })
  return resumeStored(chosen)
}

/** In this order: a payment just made, a finished application, a payment that was started, and what was typed so far. */
function resumeStored(chosenTier: TierSlug | null): JoinState {
  const result = readJoinResult()
  if (result && chosenTier === null) return { step: 'success', ...result }
  const stored = readApplication()
  const tier = chosenTier ?? stored?.tier ?? null
  if (stored?.isReady) {
    const form = v.safeParse(MembershipApplicationForm, stored.draft)
    if (form.success) return { step: 'tier-selection', form: form.output, tier }
  }
  const purchase = readPurchase()
  if (purchase && (!stored || isEmptyDraft(stored.draft))) return resumePurchase(purchase, chosenTier)
  return { step: 'application', draft: stored?.draft ?? emptyDraft, tier }
}

/** If another tier was chosen since, the buyer has to confirm it. */
function resumePurchase(purchase: Purchase, chosenTier: TierSlug | null): JoinState {
  if (chosenTier === null || chosenTier === purchase.tierSlug) return { step: 'payment', purchase }
  const form = readSentForm()
  const tier = chosenTier
  return form
    ? { step: 'tier-selection', form, tier }
    : { step: 'tier-selection', form: null, buyer: buyerOf(purchase), tier }
}

const buyerOf = ({ email, name, applicationId }: Purchase): Buyer => ({ email, name, applicationId })

type SetState = (state: JoinState) => void

const movesFrom = (state: JoinState, setState: SetState, go: SetState) => ({
  /** What is typed is stored at once. */
  write: (draft: ApplicationDraft) => {
    const tier = tierOf(state)
    saveApplication({ ...emptyApplication, draft, tier })
    setState({ step: 'application', draft, tier })
  },
  /** What the server knows anyway is not stored. */
  prefill: (draft: ApplicationDraft) => setState({ step: 'application', draft, tier: tierOf(state) }),
  submit: (form: MembershipApplicationForm) => go(saveReadyForm(form, tierOf(state))),
  backToApplication: () => go(backToApplication(state)),
  buy: (buyer: Buyer, tier: Pick<MembershipTier, 'slug' | 'price'>) => {
    const purchase: Purchase = { ...buyer, tierSlug: tier.slug, tierPrice: tier.price }
    if (state.step === 'tier-selection' && state.form) saveSentForm(state.form)
    clearApplication()
    savePurchase(purchase)
    go({ step: 'payment', purchase })
  },
  backToTiers: () => go(backToTiers(state)),
  /** The provider has the payment: a reload must not resume it, let alone take another one. */
  clearStored: () => {
    clearApplication()
    clearPurchase()
    clearSentForm()
    saveJoinResult(resultOf(state, false))
  },
  finish: (isActive: boolean) => {
    const result = resultOf(state, isActive)
    saveJoinResult(result)
    go({ step: 'success', ...result })
  },
})

const resultOf = (state: JoinState, isActive: boolean) => ({ tierSlug: tierOf(state) ?? 'standard', isActive })

function tierOf(state: JoinState): TierSlug | null {
  if (state.step === 'payment') return state.purchase.tierSlug
  return state.step === 'success' ? state.tierSlug : state.tier
}

function formOf(state: JoinState): MembershipApplicationForm | null {
  if (state.step === 'tier-selection') return state.form
  return state.step === 'payment' ? readSentForm() : null
}

function backToApplication(state: JoinState): JoinState {
  const tier = tierOf(state)
  const draft = formOf(state) ?? { ...emptyDraft, email: state.step === 'payment' ? state.purchase.email : '' }
  saveApplication({ ...emptyApplication, draft, tier })
  clearPurchase()
  return { step: 'application', draft, tier }
}

/** For another tier, or the same at its new price. Without the application on this device, the buyer stays the same. */
function backToTiers(state: JoinState): JoinState {
  const form = formOf(state)
  const tier = tierOf(state)
  if (state.step !== 'payment' || form) return form ? saveReadyForm(form, tier) : state
  return { step: 'tier-selection', form: null, buyer: buyerOf(state.purchase), tier }
}

function saveReadyForm(form: MembershipApplicationForm, tier: TierSlug | null): JoinState {
  saveApplication({ ...emptyApplication, draft: form, isReady: true, tier })
  return { step: 'tier-selection', form, tier }
}
