import { get, type Work } from '#api/sandbox/store/context.ts'
import type { TestClock } from '#api/sandbox/store/objects.ts'
import { type Store, saveObject, selectObjects } from '#api/sandbox/store/store.ts'
import { type DueTimer, dropTimer, nextTimer, type TimerKind } from '#api/sandbox/store/timers.ts'
import { emit } from '#api/sandbox/webhooks/events.ts'
import { onDiscountEnd } from './discounts.ts'
import { collect, finalizeAndCollect } from './invoice-collection.ts'
import { voidInvoice } from './invoices.ts'
import { onScheduleStart } from './schedule-create.ts'
import { onPhaseEnd } from './schedule-phases.ts'
import { onRenewal, onTrialEnd, onTrialWillEnd } from './subscription-periods.ts'
import { afterClosed, changeSubscription, endSubscription } from './subscription-state.ts'

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

export function advancingClocks(store: Store): string[] {
  const selection = { where: "status = 'advancing'", values: [], order: 'ASC' as const, limit: -1 }
  return selectObjects(store, 'test_helpers.test_clock', selection).map(({ id }) => id)
}

function finish(work: Work, clock: TestClock, to: number): void {
  const ready = saveObject(work.store, {
    ...clock,
    frozen_time: to,
    status: 'ready' as const,
    status_details: {},
  })
  emit(work, 'test_helpers.test_clock.ready', ready)
}

/** Lets the next thing happen that is due on the clock's way; at its end the clock is ready. True while there is more. */
export function stepClock(work: Work, id: string): boolean {
  const clock = get(work, 'test_helpers.test_clock', id)
  const target = clock.status_details.advancing?.target_frozen_time ?? clock.frozen_time
  const timer = nextTimer(work.store, target, id)
  if (timer === null) {
    finish({ ...work, now: target }, clock, target)
    return false
  }
  const at = Math.max(timer.at, clock.frozen_time)
  saveObject(work.store, { ...clock, frozen_time: at })
  happen({ ...work, now: timer.at }, timer)
  return true
}
