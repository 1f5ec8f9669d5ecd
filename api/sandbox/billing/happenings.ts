import { collect, finalizeAndCollect } from '#api/sandbox/billing/collection.ts'
import { onDiscountEnd } from '#api/sandbox/billing/discounts.ts'
import { voidInvoice } from '#api/sandbox/billing/invoice-life.ts'
import { afterClosed } from '#api/sandbox/billing/reactions.ts'
import { onRenewal, onTrialEnd, onTrialWillEnd } from '#api/sandbox/billing/renewal.ts'
import { onScheduleStart } from '#api/sandbox/billing/schedule-create.ts'
import { onPhaseEnd } from '#api/sandbox/billing/schedule-phases.ts'
import { changeSubscription, endSubscription } from '#api/sandbox/billing/subscription-state.ts'
import { get } from '#api/sandbox/store/get.ts'
import { type DueTimer, dropTimer, type TimerKind } from '#api/sandbox/store/timers.ts'
import type { Work } from '#api/sandbox/store/work.ts'

function onIncompleteExpiry(work: Work, id: string): void {
  endSubscription(work, get(work, 'subscription', id), { status: 'incomplete_expired', reason: null })
}

function onCancel(work: Work, id: string): void {
  endSubscription(work, get(work, 'subscription', id), { status: 'canceled', reason: null })
}

function onCollectionResume(work: Work, id: string): void {
  changeSubscription(work, get(work, 'subscription', id), { pause_collection: null })
}

function onResumeExpiry(work: Work, id: string): void {
  const { hidden } = get(work, 'subscription', id)
  const invoice = get(work, 'invoice', hidden.resume?.invoice ?? '')
  if (invoice.status === 'open') afterClosed(work, voidInvoice(work, invoice))
}

const timerHandlers: Record<TimerKind, (work: Work, id: string) => void> = {
  incomplete_expiry: onIncompleteExpiry,
  trial_will_end: onTrialWillEnd,
  discount_end: onDiscountEnd,
  schedule_start: onScheduleStart,
  phase_end: onPhaseEnd,
  cancel: onCancel,
  trial_end: onTrialEnd,
  renewal: onRenewal,
  collection_resume: onCollectionResume,
  resume_expiry: onResumeExpiry,
  finalize: (work, id) => finalizeAndCollect(work, get(work, 'invoice', id)),
  retry: (work, id) => collect(work, get(work, 'invoice', id)),
}

/** Lets one due happening happen, at its own time (`work.now`). */
export function happen(work: Work, timer: DueTimer): void {
  dropTimer(work.store, timer)
  timerHandlers[timer.kind](work, timer.objectId)
}
