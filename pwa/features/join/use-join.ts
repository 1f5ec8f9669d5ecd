import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
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

type JoinStep = JoinState['step']

export const stepNames = ['Application', 'Tier', 'Payment', 'Done'] as const

const stepIndexes = { application: 0, 'tier-selection': 1, payment: 2, success: stepNames.length }
export const stepIndexOf = ({ step }: JoinState) => stepIndexes[step]

export type Join = ReturnType<typeof useJoin>

/**
 * The current step of joining, and the moves between the steps. Each move stores on this device what a reload needs, and
 * is an entry of the history.
 */
export function useJoin() {
  const entry = useJoinEntry()
  const [state, setState] = useState(() => resumeAt(entry.step))
  const [hasMoved, setMoved] = useState(false)
  // While a payment is under way its step is not left, however often Back is pressed.
  const [isLocked, setLocked] = useState(false)
  const go = (next: JoinState, options?: { replaces: boolean }) => {
    setMoved(true)
    setState(next)
    entry.show(next.step, options)
  }
  const follow = useEffectEvent((step: EntryStep) => {
    if (step === state.step || step === 'elsewhere') return
    const next = step !== 'unnamed' && !isLocked ? stateAt(step, state) : null
    if (!next) return entry.show(state.step, { replaces: !isLocked })
    setMoved(true)
    setState(next)
  })
  useEffect(() => follow(entry.step), [entry.step])
  return { state, hasMoved, setLocked, ...movesFrom(state, setState, go) }
}

const joinPath = '/membership-application'

/** The step of an entry of the history: unnamed where a link or a mail has opened it, elsewhere while this page is being left. */
type EntryStep = JoinStep | 'unnamed' | 'elsewhere'

/** A mailed link stays in the address until it is used. */
const keepLink = ({ continue: token }: { continue?: string }) => (token ? { continue: token } : {})

function useJoinEntry() {
  const step = useLocation({
    select: ({ pathname, state }): EntryStep => (pathname === joinPath ? (state.joinStep ?? 'unnamed') : 'elsewhere'),
  })
  const navigate = useNavigate()
  const show = (joinStep: JoinStep, { replaces } = { replaces: false }) => {
    navigate({ to: joinPath, search: keepLink, state: { joinStep }, replace: replaces }).catch(reportError)
  }
  return { step, show }
}

/**
 * A tier that was chosen on another page is stored with the application, since it can be read only once. Otherwise a
 * reload resumes at the step that was shown, where what is stored still allows it.
 */
function resumeAt(step: EntryStep): JoinState {
  const selected = v.safeParse(MembershipTier, takeSelectedTier())
  const chosen = selected.success ? selected.output.slug : null
  if (chosen && !readPurchase()) saveApplication({ ...(readApplication() ?? emptyApplication), tier: chosen })
  const state = resumeStored(chosen)
  if (chosen || step === state.step || step === 'unnamed' || step === 'elsewhere') return state
  return stateAt(step, state) ?? state
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
type Go = (state: JoinState, options?: { replaces: boolean }) => void

const movesFrom = (state: JoinState, setState: SetState, go: Go) => ({
  /** What is typed is stored at once, and another application is never paid by what was sent before. */
  write: (draft: ApplicationDraft) => {
    const tier = tierOf(state)
    saveApplication({ ...emptyApplication, draft, tier })
    clearPurchase()
    setState({ step: 'application', draft, tier })
  },
  /** What the server knows anyway is not stored. */
  prefill: (draft: ApplicationDraft) => setState({ step: 'application', draft, tier: tierOf(state) }),
  submit: (form: MembershipApplicationForm) => go(saveReadyForm(form, tierOf(state))),
  submitDraft: () => go(stateAt('tier-selection', state) ?? state),
  /** Step 1 is done, and continues by itself after a login. */
  awaitLogin: (form: MembershipApplicationForm) =>
    saveApplication({ ...emptyApplication, draft: form, tier: tierOf(state), awaitsLogin: true }),
  backToApplication: () => go(backToApplication(state)),
  buy: (buyer: Buyer, tier: Pick<MembershipTier, 'slug' | 'price'>) => {
    if (state.step === 'tier-selection' && state.form) saveSentForm(state.form)
    go(savePayment({ ...buyer, tierSlug: tier.slug, tierPrice: tier.price }))
  },
  /** The server knows of a payment that was started: there is no step before it to go back to. */
  resumePayment: (purchase: Purchase) => go(savePayment(purchase), { replaces: true }),
  changeTier: () => go(backToTiers(state)),
  /** The payment cannot be gone back to. */
  chooseTierAgain: () => go(backToTiers(state), { replaces: true }),
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
    go({ step: 'success', ...result }, { replaces: true })
  },
})

const resultOf = (state: JoinState, isActive: boolean) => ({ tierSlug: tierOf(state) ?? 'standard', isActive })

function tierOf(state: JoinState): TierSlug | null {
  if (state.step === 'payment') return state.purchase.tierSlug
  return state.step === 'success' ? state.tierSlug : state.tier
}

/** The application as it was sent, or is ready to be. */
function formOf(state: JoinState): MembershipApplicationForm | null {
  if (state.step === 'tier-selection') return state.form
  return state.step === 'payment' ? readSentForm() : null
}

/** Another step, from what this one and the device know; null where that is not enough, and once everything is paid. */
function stateAt(step: JoinStep, state: JoinState): JoinState | null {
  if (state.step === 'success') return null
  if (step === 'application') return backToApplication(state)
  if (step === 'tier-selection') return state.step === 'application' ? toTiers(state) : backToTiers(state)
  const purchase = step === 'payment' ? readPurchase() : null
  return purchase && savePayment(purchase)
}

function toTiers({ draft, tier }: { draft: ApplicationDraft; tier: TierSlug | null }): JoinState | null {
  const form = v.safeParse(MembershipApplicationForm, draft)
  return form.success ? saveReadyForm(form.output, tier) : null
}

function backToApplication(state: JoinState): JoinState {
  const tier = tierOf(state)
  const draft = formOf(state) ?? { ...emptyDraft, email: emailOf(state) }
  saveApplication({ ...emptyApplication, draft, tier })
  return { step: 'application', draft, tier }
}

function emailOf(state: JoinState): string {
  if (state.step === 'payment') return state.purchase.email
  return state.step === 'tier-selection' && !state.form ? state.buyer.email : ''
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

function savePayment(purchase: Purchase): JoinState {
  clearApplication()
  savePurchase(purchase)
  return { step: 'payment', purchase }
}

declare module '@tanstack/history' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: the history's types are extended by merging
  interface HistoryState {
    /** The step of joining that this entry of the history shows. */
    joinStep?: JoinStep
  }
}
