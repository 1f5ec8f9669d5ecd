import type { Invoice, Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import type { Work } from '#api/sandbox/store/context.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import type { SetupIntent } from '#api/sandbox/store/payment-objects.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { setTimers, type Timer } from '#api/sandbox/store/timers.ts'
import { emit, emitChange } from '#api/sandbox/webhooks/events.ts'
import { subscriptionIdOf } from './invoice-draft.ts'
import { stopCollecting, voidInvoice } from './invoices.ts'
import { cancelScheduleOf } from './schedule-state.ts'
import { cancelSetup } from './setup-intents.ts'

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

function subscriptionOf(work: Work, invoice: Invoice): Subscription | null {
  const id = subscriptionIdOf(invoice)
  return id === null ? null : findObject(work.store, 'subscription', id)
}

/** A subscription stands as its newest finalized invoice stands. */
function isNewest(work: Work, subscription: Subscription, invoice: Invoice): boolean {
  const newest = allObjects(work, 'invoice', { subscription: subscription.id }).find(({ status }) => status !== 'draft')
  return newest?.id === invoice.id
}

function isDunning({ status }: Subscription): boolean {
  return status === 'past_due' || status === 'unpaid'
}

/** The pause ends with the resumption invoice. */
export function endPause(work: Work, subscription: Subscription): Subscription {
  const resumed = changeSubscription(work, subscription, {
    status: 'active',
    hidden: { ...subscription.hidden, resume: null },
  })
  emit(work, 'customer.subscription.resumed', resumed)
  return resumed
}

/** What a paid invoice does to its subscription. `method` is the card that paid it. */
export function afterPaid(work: Work, invoice: Invoice, method: string | null): void {
  const found = subscriptionOf(work, invoice)
  if (found === null) return
  const keeps = found.payment_settings?.save_default_payment_method === 'on_subscription' && method !== null
  const starts = found.status === 'incomplete' && invoice.billing_reason === 'subscription_create'
  const recovers = isDunning(found) && isNewest(work, found, invoice)
  const subscription = changeSubscription(work, found, {
    ...(keeps ? { default_payment_method: method } : {}),
    ...(starts || recovers ? { status: 'active' } : {}),
  })
  if (subscription.hidden.resume?.invoice === invoice.id) endPause(work, subscription)
}

/** What an invoice does to its subscription that was voided or written off. */
export function afterClosed(work: Work, invoice: Invoice): void {
  const subscription = subscriptionOf(work, invoice)
  if (subscription === null) return
  if (subscription.status === 'incomplete' && invoice.status === 'void') {
    endSubscription(work, subscription, { status: 'incomplete_expired', reason: null })
  } else if (isDunning(subscription) && isNewest(work, subscription, invoice)) {
    changeSubscription(work, subscription, { status: 'active' })
  } else if (subscription.hidden.resume?.invoice === invoice.id) {
    if (invoice.status === 'uncollectible') endPause(work, subscription)
    else changeSubscription(work, subscription, { hidden: { ...subscription.hidden, resume: null } })
  }
}

/** What a renewal does to its subscription that took no money and will be tried again. */
export function afterFailed(work: Work, invoice: Invoice): void {
  const subscription = subscriptionOf(work, invoice)
  if (subscription?.status === 'active' && invoice.billing_reason !== 'subscription_create') {
    changeSubscription(work, subscription, { status: 'past_due' })
  }
}

/** What becomes of a subscription when the last retry failed. */
export function afterLastRetry(work: Work, invoice: Invoice): void {
  const subscription = subscriptionOf(work, invoice)
  if (subscription === null || !isDunning(subscription) || !isNewest(work, subscription, invoice)) return
  if (work.settings.afterRetries === 'unpaid') changeSubscription(work, subscription, { status: 'unpaid' })
  if (work.settings.afterRetries === 'canceled') {
    endSubscription(work, subscription, { status: 'canceled', reason: 'payment_failed' })
  }
}

/** A subscription's own SetupIntent is no longer pending once it succeeded; its card is kept as the settings say. */
export function afterSetup(work: Work, setup: SetupIntent): void {
  const subscription = findObject(work.store, 'subscription', setup.hidden.subscription ?? '')
  if (subscription?.pending_setup_intent !== setup.id || setup.status !== 'succeeded') return
  const keeps = subscription.payment_settings?.save_default_payment_method === 'on_subscription'
  changeSubscription(work, subscription, {
    pending_setup_intent: null,
    ...(keeps ? { default_payment_method: setup.payment_method } : {}),
  })
}
