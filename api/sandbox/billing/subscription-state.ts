import { stopCollecting, voidInvoice } from '#api/sandbox/billing/invoice-life.ts'
import { cancelScheduleOf } from '#api/sandbox/billing/schedule-state.ts'
import { cancelSetup } from '#api/sandbox/billing/setups.ts'
import { allObjects } from '#api/sandbox/http/lists.ts'
import type { Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { setTimers, type Timer } from '#api/sandbox/store/timers.ts'
import type { Work } from '#api/sandbox/store/work.ts'
import { emit, emitChange } from '#api/sandbox/webhooks/emit.ts'

const secondsPerHour = 3600
/** How long the first payment may take before the subscription expires. */
export const firstPaymentHours = 23
const trialWarningSeconds = 3 * 24 * secondsPerHour

/** The one item a subscription has here; its creation refuses any other number. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data
  if (item === undefined) throw new Error(`subscription ${subscription.id} has no item`)
  return item
}

function timersOf(subscription: Subscription): Timer[] {
  const { status, created, trial_end, cancel_at, pause_collection, hidden } = subscription
  if (status === 'incomplete') return [{ kind: 'incomplete_expiry', at: created + firstPaymentHours * secondsPerHour }]
  const timers: Timer[] = []
  if (cancel_at !== null) timers.push({ kind: 'cancel', at: cancel_at })
  if (status === 'trialing' && trial_end !== null) {
    timers.push({ kind: 'trial_end', at: trial_end })
    if (!hidden.trialEndAnnounced) timers.push({ kind: 'trial_will_end', at: trial_end - trialWarningSeconds })
  }
  if (status === 'active' || status === 'past_due' || status === 'unpaid') {
    timers.push({ kind: 'renewal', at: itemOf(subscription).current_period_end })
  }
  if (pause_collection?.resumes_at) timers.push({ kind: 'collection_resume', at: pause_collection.resumes_at })
  if (status === 'paused' && hidden.resume !== null) {
    timers.push({ kind: 'resume_expiry', at: hidden.resume.askedAt + firstPaymentHours * secondsPerHour })
  }
  return status === 'canceled' || status === 'incomplete_expired' ? [] : timers
}

/** Nobody hears of it before it has its first invoice. */
export function storeSubscription(work: Work, subscription: Subscription): Subscription {
  insertObject(work.store, subscription)
  setTimers(work.store, subscription.id, timersOf(subscription))
  return subscription
}

export function announceSubscription(work: Work, stored: Subscription, change: Partial<Subscription>): Subscription {
  const whole = saveObject(work.store, { ...stored, ...change })
  emit(work, 'customer.subscription.created', whole)
  return whole
}

/** Saves the change, sets what will fall due from it, and tells the world. */
export function changeSubscription(work: Work, before: Subscription, change: Partial<Subscription>): Subscription {
  const after = saveObject(work.store, { ...before, ...change })
  setTimers(work.store, after.id, timersOf(after))
  emitChange(work, 'customer.subscription.updated', before, after)
  return after
}

export type Ending = { status: 'canceled' | 'incomplete_expired'; reason: string | null }

function closeOpenEnds(work: Work, subscription: Subscription, expired: boolean): void {
  for (const invoice of allObjects(work, 'invoice', { subscription: subscription.id })) {
    if (expired && invoice.status === 'open') voidInvoice(work, invoice)
    else stopCollecting(work, invoice)
  }
  const setup = findObject(work.store, 'setup_intent', subscription.pending_setup_intent ?? '')
  if (setup !== null && setup.status !== 'succeeded' && setup.status !== 'canceled') cancelSetup(work, setup, null)
}

/** The end, for good: `canceled`, or `incomplete_expired` when the first payment never came. */
export function endSubscription(work: Work, before: Subscription, { status, reason }: Ending): Subscription {
  const after = saveObject(work.store, {
    ...before,
    status,
    cancel_at: before.cancel_at_period_end ? before.cancel_at : null,
    canceled_at: before.canceled_at ?? work.now,
    ended_at: work.now,
    cancellation_details: {
      comment: before.cancellation_details?.comment ?? null,
      feedback: before.cancellation_details?.feedback ?? null,
      feedback_option: null,
      reason: reason ?? before.cancellation_details?.reason ?? null,
    },
    pause_collection: null,
    pending_setup_intent: null,
  })
  setTimers(work.store, after.id, [])
  closeOpenEnds(work, before, status === 'incomplete_expired')
  cancelScheduleOf(work, before)
  if (status === 'canceled') emit(work, 'customer.subscription.deleted', after)
  else emitChange(work, 'customer.subscription.updated', before, after)
  return after
}
