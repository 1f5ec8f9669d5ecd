import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import * as v from 'valibot'
import { takeSelectedTier } from '#pwa/features/tiers/selected-tier-storage.ts'
import { MembershipApplicationForm } from '#shared/contract/application.ts'
import { Id } from '#shared/contract/fields.ts'
import { type MembershipTier, type OfferedPrice, TierSlug } from '#shared/contract/tier.ts'
import { type ChosenTier, chosenOf } from '#shared/rules/tier-prices.ts'
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

export type Buyer = Pick<Purchase, 'email' | 'name' | 'applicationId'>

/** `tier` was chosen earlier: it shows as selected, but isn't sent unless it's chosen again. */
type JoinState =
  | { step: 'application'; draft: ApplicationDraft; tier: ChosenTier | null }
  | { step: 'tier-selection'; form: MembershipApplicationForm; tier: ChosenTier | null }
  /** The application has been sent, and the buyer wants another tier. */
  | { step: 'tier-selection'; form: null; buyer: Buyer; tier: ChosenTier | null }
  | { step: 'payment'; purchase: Purchase }
  | { step: 'success'; tierSlug: TierSlug | null; isActive: boolean }

type JoinStep = JoinState['step']

export const stepNames = ['Application', 'Tier', 'Payment', 'Done'] as const

const stepIndexes = { application: 0, 'tier-selection': 1, payment: 2, success: stepNames.length }
export const stepIndexOf = ({ step }: JoinState) => stepIndexes[step]

export type Join = ReturnType<typeof useJoin>

/**
 * The current step of joining, and the moves between steps. Each move stores what a reload needs on this device, and makes a
 * history entry.
 */
export function useJoin() {
  const entry = useJoinEntry()
  const [state, setState] = useState(() => resumeAt(entry.step))
  const [hasMoved, setMoved] = useState(false)
  // During a payment you can't leave its step, however often you press Back.
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

/** A history entry's step: unnamed if a link or an email opened it, elsewhere while this page is being left. */
type EntryStep = JoinStep | 'unnamed' | 'elsewhere'

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

/** Of the stored tier only what names it: what it costs now, the server’s list says. */
const SelectedTier = v.object({ slug: TierSlug, priceId: v.optional(Id) })

const storedTier = (chosen: ChosenTier | null) => ({ tier: chosen?.slug ?? null, priceId: chosen?.priceId })

/**
 * A tier chosen on another page is stored with the application, because it can be read only once. Otherwise a reload resumes the
 * step that was shown, if the stored data allows it.
 */
function resumeAt(step: EntryStep): JoinState {
  const selected = v.safeParse(SelectedTier, takeSelectedTier())
  const chosen = selected.success ? selected.output : null
  if (chosen && !readPurchase()) saveApplication({ ...(readApplication() ?? emptyApplication), ...storedTier(chosen) })
  const state = resumeStored(chosen)
  if (chosen || step === state.step || step === 'unnamed' || step === 'elsewhere') return state
  return stateAt(step, state) ?? state
}

/** In this order: a payment just made, a finished application, a payment in progress, and the draft. */
function resumeStored(chosenTier: ChosenTier | null): JoinState {
  const result = readJoinResult()
  if (result && chosenTier === null) return { step: 'success', ...result }
  const stored = readApplication()
  const tier = chosenTier ?? (stored?.tier ? { slug: stored.tier, priceId: stored.priceId } : null)
  if (stored?.isReady) {
    const form = v.safeParse(MembershipApplicationForm, stored.draft)
    if (form.success) return { step: 'tier-selection', form: form.output, tier }
  }
  const purchase = readPurchase()
  if (purchase && (!stored || isEmptyDraft(stored.draft))) return resumePurchase(purchase, chosenTier)
  return { step: 'application', draft: stored?.draft ?? emptyDraft, tier }
}

/** If the buyer has chosen another tier since, they have to confirm it. */
function resumePurchase(purchase: Purchase, chosenTier: ChosenTier | null): JoinState {
  if (chosenTier === null || isSameTier(chosenTier, tierOfPurchase(purchase))) return { step: 'payment', purchase }
  const form = readSentForm()
  const tier = chosenTier
  return form
    ? { step: 'tier-selection', form, tier }
    : { step: 'tier-selection', form: null, buyer: buyerOf(purchase), tier }
}

const tierOfPurchase = ({ tierSlug: slug, priceId }: Purchase): ChosenTier => ({ slug, priceId })

const isSameTier = (one: ChosenTier, other: ChosenTier) => one.slug === other.slug && one.priceId === other.priceId

const buyerOf = ({ email, name, applicationId }: Purchase): Buyer => ({ email, name, applicationId })

type SetState = (state: JoinState) => void
type Go = (state: JoinState, options?: { replaces: boolean }) => void

const movesFrom = (state: JoinState, setState: SetState, go: Go) => ({
  /** Stores what's typed straight away, and makes sure an earlier purchase never pays for another application. */
  write: (draft: ApplicationDraft) => {
    const tier = tierOf(state)
    saveApplication({ ...emptyApplication, draft, ...storedTier(tier) })
    clearPurchase()
    setState({ step: 'application', draft, tier })
  },
  /** Doesn't store what the server knows anyway. */
  prefill: (draft: ApplicationDraft) => setState({ step: 'application', draft, tier: tierOf(state) }),
  submit: (form: MembershipApplicationForm) => go(saveReadyForm(form, tierOf(state))),
  submitDraft: () => go(stateAt('tier-selection', state) ?? state),
  /** Step 1 is done, and continues automatically after a login. */
  awaitLogin: (form: MembershipApplicationForm) =>
    saveApplication({ ...emptyApplication, draft: form, ...storedTier(tierOf(state)), awaitsLogin: true }),
  backToApplication: () => go(backToApplication(state)),
  buy: (buyer: Buyer, tier: Pick<MembershipTier, 'slug'>, price: OfferedPrice) => {
    if (state.step === 'tier-selection' && state.form) saveSentForm(state.form)
    const { slug: tierSlug, priceId } = chosenOf(tier, price)
    go(savePayment({ ...buyer, tierSlug, priceId, tierPrice: price.net }))
  },
  /** The server knows about a payment in progress: there's no earlier step to go back to. */
  resumePayment: (purchase: Purchase) => go(savePayment(purchase), { replaces: true }),
  changeTier: () => go(backToTiers(state)),
  /** The payment can't be gone back to. */
  chooseTierAgain: () => go(backToTiers(state), { replaces: true }),
  /** Stripe has the payment: a reload mustn't resume it, let alone start another. */
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

const resultOf = (state: JoinState, isActive: boolean) => ({ tierSlug: tierOf(state)?.slug ?? null, isActive })

function tierOf(state: JoinState): ChosenTier | null {
  if (state.step === 'payment') return tierOfPurchase(state.purchase)
  if (state.step === 'success') return state.tierSlug === null ? null : { slug: state.tierSlug }
  return state.tier
}

function formOf(state: JoinState): MembershipApplicationForm | null {
  if (state.step === 'tier-selection') return state.form
  return state.step === 'payment' ? readSentForm() : null
}

/** Another step, from what this one and the device know; null if that isn't enough, and once everything's paid. */
function stateAt(step: JoinStep, state: JoinState): JoinState | null {
  if (state.step === 'success') return null
  if (step === 'application') return backToApplication(state)
  if (step === 'tier-selection') return state.step === 'application' ? toTiers(state) : backToTiers(state)
  const purchase = step === 'payment' ? readPurchase() : null
  return purchase && savePayment(purchase)
}

function toTiers({ draft, tier }: { draft: ApplicationDraft; tier: ChosenTier | null }): JoinState | null {
  const form = v.safeParse(MembershipApplicationForm, draft)
  return form.success ? saveReadyForm(form.output, tier) : null
}

function backToApplication(state: JoinState): JoinState {
  const tier = tierOf(state)
  const draft = formOf(state) ?? { ...emptyDraft, email: emailOf(state) }
  saveApplication({ ...emptyApplication, draft, ...storedTier(tier) })
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

function saveReadyForm(form: MembershipApplicationForm, tier: ChosenTier | null): JoinState {
  saveApplication({ ...emptyApplication, draft: form, isReady: true, ...storedTier(tier) })
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
    joinStep?: JoinStep
  }
}
