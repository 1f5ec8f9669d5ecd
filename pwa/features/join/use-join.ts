import { useState } from 'react'
import * as v from 'valibot'
import { takeSelectedTier } from '#pwa/features/tiers/selected-tier-storage.ts'
import type { MembershipApplicationForm } from '#shared/contract/application.ts'
import { MembershipTier, type TierSlug } from '#shared/contract/tier.ts'
import { type ApplicationDraft, emptyDraft } from './application-draft.ts'
import { type Buyer, buyerOf, type JoinState, resumedState } from './join-state.ts'
import {
  emptyApplication,
  forgetApplication,
  forgetPurchase,
  forgetSentForm,
  keepApplication,
  keepDone,
  keepPurchase,
  keepSentForm,
  type Purchase,
  readApplication,
  readPurchase,
  readSentForm,
} from './join-store.ts'

/** The tier chosen on another page is kept with the application, since it can be read only once. */
function resume(): JoinState {
  const stored = v.safeParse(MembershipTier, takeSelectedTier())
  const chosen = stored.success ? stored.output.slug : null
  if (chosen && !readPurchase()) keepApplication({ ...(readApplication() ?? emptyApplication), tier: chosen })
  return resumedState(chosen)
}

/** Joining: where it stands, and its moves. Each move keeps on this device what a reload needs. */
export function useJoin() {
  const [state, setState] = useState(resume)
  const [hasMoved, setMoved] = useState(false)
  const go = (next: JoinState) => {
    setMoved(true)
    setState(next)
  }
  return { state, hasMoved, ...movesFrom(state, setState, go) }
}

export type Join = ReturnType<typeof useJoin>

type Go = (state: JoinState) => void

const movesFrom = (state: JoinState, change: Go, go: Go) => ({
  /** What is typed is kept at once. */
  write: (draft: ApplicationDraft) => {
    const tier = tierOf(state)
    keepApplication({ ...emptyApplication, draft, tier })
    change({ step: 'application', draft, tier })
  },
  /** Known beforehand, so not worth keeping. */
  prefill: (draft: ApplicationDraft) => change({ step: 'application', draft, tier: tierOf(state) }),
  submit: (form: MembershipApplicationForm) => {
    const tier = tierOf(state)
    keepApplication({ ...emptyApplication, draft: form, isReady: true, tier })
    go({ step: 'tier-selection', form, tier })
  },
  edit: () => go(backToApplication(state)),
  buy: (buyer: Buyer, tier: Pick<MembershipTier, 'slug' | 'price'>) => {
    const purchase: Purchase = { ...buyer, tierSlug: tier.slug, tierPrice: tier.price }
    if (state.step === 'tier-selection' && state.form) keepSentForm(state.form)
    forgetApplication()
    keepPurchase(purchase)
    go({ step: 'payment', purchase })
  },
  chooseAgain: () => go(backToTiers(state)),
  /** The provider has the payment: nothing of it is left to be resumed, and a reload must not ask for another. */
  forget: () => {
    forgetJoin()
    keepDone(doneWith(state, false))
  },
  finish: (isActive: boolean) => {
    keepDone(doneWith(state, isActive))
    go({ step: 'success', ...doneWith(state, isActive) })
  },
})

const doneWith = (state: JoinState, isActive: boolean) => ({ tierSlug: tierOf(state) ?? 'standard', isActive })

function forgetJoin() {
  forgetApplication()
  forgetPurchase()
  forgetSentForm()
}

function tierOf(state: JoinState): TierSlug | null {
  if (state.step === 'payment') return state.purchase.tierSlug
  return state.step === 'success' ? state.tierSlug : state.tier
}

function backToApplication(state: JoinState): JoinState {
  const tier = tierOf(state)
  const draft = formOf(state) ?? { ...emptyDraft, email: state.step === 'payment' ? state.purchase.email : '' }
  keepApplication({ ...emptyApplication, draft, tier })
  forgetPurchase()
  return { step: 'application', draft, tier }
}

/** To another tier, or the same at its new price: with the application where it is still here, else for the same buyer. */
function backToTiers(state: JoinState): JoinState {
  const form = formOf(state)
  const tier = tierOf(state)
  if (state.step !== 'payment' || form) return form ? keptTierSelection(form, tier) : state
  return { step: 'tier-selection', form: null, buyer: buyerOf(state.purchase), tier }
}

function keptTierSelection(form: MembershipApplicationForm, tier: TierSlug | null): JoinState {
  keepApplication({ ...emptyApplication, draft: form, isReady: true, tier })
  return { step: 'tier-selection', form, tier }
}

function formOf(state: JoinState): MembershipApplicationForm | null {
  if (state.step === 'tier-selection') return state.form
  return state.step === 'payment' ? readSentForm() : null
}
