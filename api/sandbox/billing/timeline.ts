import { type Context, getObject } from '#api/sandbox/store/context.ts'
import type { TestClock } from '#api/sandbox/store/objects.ts'
import { type Store, saveObject, selectObjects } from '#api/sandbox/store/store.ts'
import { type DueTimer, dropTimer, nextTimer, type TimerKind } from '#api/sandbox/store/timers.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import { onDiscountEnd } from './discounts.ts'
import { attemptCollection, finalizeAndCollect } from './invoice-collection.ts'
import { voidInvoice } from './invoices.ts'
import { onScheduleStart } from './schedule-create.ts'
import { onPhaseEnd } from './schedule-phases.ts'
import { onCancel, onRenewal, onTrialEnd, onTrialWillEnd } from './subscription-periods.ts'
import { changeSubscription, discardPendingUpdate, endSubscription, onInvoiceClosed } from './subscription-state.ts'

function onIncompleteExpiry(ctx: Context, id: string): void {
  endSubscription(ctx, getObject(ctx, 'subscription', id), { status: 'incomplete_expired', reason: null })
}

function onCollectionResume(ctx: Context, id: string): void {
  changeSubscription(ctx, getObject(ctx, 'subscription', id), { pause_collection: null })
}

function onResumeExpiry(ctx: Context, id: string): void {
  const { hidden } = getObject(ctx, 'subscription', id)
  const invoice = getObject(ctx, 'invoice', hidden.resume?.invoice ?? '')
  if (invoice.status === 'open') onInvoiceClosed(ctx, voidInvoice(ctx, invoice))
}

function onPendingUpdateExpiry(ctx: Context, id: string): void {
  const after = discardPendingUpdate(ctx, getObject(ctx, 'subscription', id))
  emitEvent(ctx, 'customer.subscription.pending_update_expired', after)
}

const timerHandlers: Record<TimerKind, (ctx: Context, id: string) => void> = {
  incomplete_expiry: onIncompleteExpiry,
  trial_will_end: onTrialWillEnd,
  discount_end: onDiscountEnd,
  pending_update_expiry: onPendingUpdateExpiry,
  schedule_start: onScheduleStart,
  phase_end: onPhaseEnd,
  cancel: onCancel,
  trial_end: onTrialEnd,
  renewal: onRenewal,
  collection_resume: onCollectionResume,
  resume_expiry: onResumeExpiry,
  finalize: (ctx, id) => finalizeAndCollect(ctx, getObject(ctx, 'invoice', id)),
  retry: (ctx, id) => attemptCollection(ctx, getObject(ctx, 'invoice', id)),
}

/** `ctx.now` is when the timer fell due. */
export function runTimer(ctx: Context, timer: DueTimer): void {
  dropTimer(ctx.store, timer)
  timerHandlers[timer.kind](ctx, timer.objectId)
}

export function nextAdvancingClock(store: Store): string | null {
  const selection = { where: "status = 'advancing'", values: [], order: 'ASC' as const, limit: 1 }
  return selectObjects(store, 'test_helpers.test_clock', selection)[0]?.id ?? null
}

function finishAdvance(ctx: Context, clock: TestClock, to: number): void {
  const ready = saveObject(ctx.store, {
    ...clock,
    frozen_time: to,
    status: 'ready' as const,
    status_details: {},
  })
  emitEvent(ctx, 'test_helpers.test_clock.ready', ready)
}

/** Runs the clock's next due timer, or makes the clock ready if there's none. Returns whether it ran one. */
export function advanceClockOnce(ctx: Context, id: string): boolean {
  const clock = getObject(ctx, 'test_helpers.test_clock', id)
  const target = clock.status_details.advancing?.target_frozen_time ?? clock.frozen_time
  const timer = nextTimer(ctx.store, target, id)
  if (timer === null) {
    finishAdvance({ ...ctx, now: target }, clock, target)
    return false
  }
  const at = Math.max(timer.at, clock.frozen_time)
  saveObject(ctx.store, { ...clock, frozen_time: at })
  runTimer({ ...ctx, now: timer.at }, timer)
  return true
}
