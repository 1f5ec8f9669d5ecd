import type { Invoice, Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import type { SetupIntent } from '#api/sandbox/store/payment-objects.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { setTimers, type Timer } from '#api/sandbox/store/timers.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'
import { subscriptionIdOf } from './invoice-draft.ts'
import { stopCollecting, voidInvoice } from './invoices.ts'
import { cancelScheduleOf } from './schedule-state.ts'

const secondsPerHour = 3600
/** How long a first payment may take before the subscription expires, and a resumption invoice before it's voided. */
const firstPaymentHours = 23
const trialWarningSeconds = 3 * 24 * secondsPerHour

/** Its first item. All of them have the same period, interval and currency. */
export function itemOf(subscription: Subscription): SubscriptionItem {
  const [item] = subscription.items.data
  if (item === undefined) throw new Error(`subscription ${subscription.id} has no item`)
  return item
}

function timersOf(subscription: Subscription): Timer[] {
  const { status, created, trial_end, cancel_at, pause_collection, pending_update, hidden } = subscription
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
  if (pending_update !== null) timers.push({ kind: 'pending_update_expiry', at: pending_update.expires_at })
  if (pause_collection?.resumes_at) timers.push({ kind: 'collection_resume', at: pause_collection.resumes_at })
  if (status === 'paused' && hidden.resume !== null) {
    timers.push({ kind: 'resume_expiry', at: hidden.resume.askedAt + firstPaymentHours * secondsPerHour })
  }
  return status === 'canceled' || status === 'incomplete_expired' ? [] : timers
}

/** `announceSubscription` emits its `created` event, once it has its first invoice. */
export function insertSubscription(ctx: Context, subscription: Subscription): Subscription {
  insertObject(ctx.store, subscription)
  setTimers(ctx.store, subscription.id, timersOf(subscription))
  return subscription
}

export function announceSubscription(ctx: Context, stored: Subscription, change: Partial<Subscription>): Subscription {
  const whole = saveObject(ctx.store, { ...stored, ...change })
  emitEvent(ctx, 'customer.subscription.created', whole)
  return whole
}

export function changeSubscription(ctx: Context, before: Subscription, change: Partial<Subscription>): Subscription {
  const after = saveObject(ctx.store, { ...before, ...change })
  setTimers(ctx.store, after.id, timersOf(after))
  emitChange(ctx, 'customer.subscription.updated', before, after)
  return after
}

export type Ending = { status: 'canceled' | 'incomplete_expired'; reason: string | null }

function stopPendingCollection(ctx: Context, subscription: Subscription, expired: boolean): void {
  for (const invoice of allObjects(ctx, 'invoice', { subscription: subscription.id })) {
    const isUseless = expired || isOfPendingUpdate(subscription, invoice)
    if (isUseless && invoice.status === 'open') voidInvoice(ctx, invoice)
    else stopCollecting(ctx, invoice)
  }
}

/** Ends the subscription for good: `canceled`, or `incomplete_expired` if it was never paid. */
export function endSubscription(ctx: Context, before: Subscription, { status, reason }: Ending): Subscription {
  const after = saveObject(ctx.store, {
    ...before,
    status,
    cancel_at: before.cancel_at_period_end ? before.cancel_at : null,
    canceled_at: before.canceled_at ?? ctx.now,
    ended_at: ctx.now,
    cancellation_details: {
      comment: before.cancellation_details?.comment ?? null,
      feedback: before.cancellation_details?.feedback ?? null,
      feedback_option: null,
      reason: reason ?? before.cancellation_details?.reason ?? null,
    },
    pause_collection: null,
    pending_setup_intent: null,
    ...withoutPendingUpdate(before),
  })
  setTimers(ctx.store, after.id, [])
  stopPendingCollection(ctx, before, status === 'incomplete_expired')
  cancelScheduleOf(ctx, before)
  if (status === 'canceled') emitEvent(ctx, 'customer.subscription.deleted', after)
  else emitChange(ctx, 'customer.subscription.updated', before, after)
  return after
}

function subscriptionOf(ctx: Context, invoice: Invoice): Subscription | null {
  const id = subscriptionIdOf(invoice)
  return id === null ? null : findObject(ctx.store, 'subscription', id)
}

const finalizedAt = ({ status_transitions }: Invoice): number => status_transitions.finalized_at ?? 0

/** Only the invoice finalised last decides the status: a renewal may have been a draft while an upgrade was paid. */
function isNewestInvoice(ctx: Context, subscription: Subscription, invoice: Invoice): boolean {
  const [newest] = allObjects(ctx, 'invoice', { subscription: subscription.id })
    .filter(({ status }) => status !== 'draft')
    .sort((one, other) => finalizedAt(other) - finalizedAt(one))
  return newest?.id === invoice.id
}

function isDunning({ status }: Subscription): boolean {
  return status === 'past_due' || status === 'unpaid'
}

export function endPause(ctx: Context, subscription: Subscription): Subscription {
  const resumed = changeSubscription(ctx, subscription, {
    status: 'active',
    hidden: { ...subscription.hidden, resume: null },
  })
  emitEvent(ctx, 'customer.subscription.resumed', resumed)
  return resumed
}

function isOfPendingUpdate({ hidden }: Subscription, invoice: Invoice): boolean {
  return hidden.update?.invoice === invoice.id
}

function withoutPendingUpdate({ hidden }: Subscription): Pick<Subscription, 'pending_update' | 'hidden'> {
  return { pending_update: null, hidden: { ...hidden, update: null } }
}

/** One that ends with its period ends with the new one. */
export const endWith = ({ cancel_at, cancel_at_period_end: withPeriod }: Subscription, [item]: SubscriptionItem[]) =>
  withPeriod && item !== undefined ? item.current_period_end : cancel_at

function applyPendingUpdate(ctx: Context, before: Subscription): void {
  const { items = before.items.data, anchor = before.billing_cycle_anchor } = before.hidden.update ?? {}
  const after = changeSubscription(ctx, before, {
    billing_cycle_anchor: anchor,
    cancel_at: endWith(before, items),
    items: { ...before.items, data: items },
    ...withoutPendingUpdate(before),
  })
  // One paid straight away was never pending.
  if (before.pending_update !== null) emitEvent(ctx, 'customer.subscription.pending_update_applied', after)
}

export function discardPendingUpdate(ctx: Context, before: Subscription): Subscription {
  const invoice = findObject(ctx.store, 'invoice', before.hidden.update?.invoice ?? '')
  if (invoice?.status === 'open') voidInvoice(ctx, invoice)
  return before.pending_update === null ? before : changeSubscription(ctx, before, withoutPendingUpdate(before))
}

export function onInvoicePaid(ctx: Context, invoice: Invoice, method: string | null): void {
  const found = subscriptionOf(ctx, invoice)
  if (found === null) return
  const savesMethod = found.payment_settings?.save_default_payment_method === 'on_subscription' && method !== null
  const starts = found.status === 'incomplete' && invoice.billing_reason === 'subscription_create'
  const recovers = isDunning(found) && isNewestInvoice(ctx, found, invoice)
  const subscription = changeSubscription(ctx, found, {
    ...(savesMethod ? { default_payment_method: method } : {}),
    ...(starts || recovers ? { status: 'active' } : {}),
  })
  if (subscription.hidden.resume?.invoice === invoice.id) endPause(ctx, subscription)
  if (isOfPendingUpdate(subscription, invoice)) applyPendingUpdate(ctx, subscription)
}

/** Also called for an invoice marked uncollectible. */
export function onInvoiceClosed(ctx: Context, invoice: Invoice): void {
  const subscription = subscriptionOf(ctx, invoice)
  if (subscription === null) return
  if (subscription.status === 'incomplete' && invoice.status === 'void') {
    endSubscription(ctx, subscription, { status: 'incomplete_expired', reason: null })
  } else if (isOfPendingUpdate(subscription, invoice)) {
    changeSubscription(ctx, subscription, withoutPendingUpdate(subscription))
  } else if (isDunning(subscription) && isNewestInvoice(ctx, subscription, invoice)) {
    changeSubscription(ctx, subscription, { status: 'active' })
  } else if (subscription.hidden.resume?.invoice === invoice.id) {
    if (invoice.status === 'uncollectible') endPause(ctx, subscription)
    else changeSubscription(ctx, subscription, { hidden: { ...subscription.hidden, resume: null } })
  }
}

export function onPaymentFailed(ctx: Context, invoice: Invoice): void {
  const subscription = subscriptionOf(ctx, invoice)
  if (subscription === null || isOfPendingUpdate(subscription, invoice)) return
  if (subscription.status === 'active' && invoice.billing_reason !== 'subscription_create') {
    changeSubscription(ctx, subscription, { status: 'past_due' })
  }
}

export function onRetriesExhausted(ctx: Context, invoice: Invoice): void {
  const subscription = subscriptionOf(ctx, invoice)
  if (subscription === null || !isDunning(subscription) || !isNewestInvoice(ctx, subscription, invoice)) return
  if (ctx.settings.afterRetries === 'unpaid') changeSubscription(ctx, subscription, { status: 'unpaid' })
  if (ctx.settings.afterRetries === 'canceled') {
    endSubscription(ctx, subscription, { status: 'canceled', reason: 'payment_failed' })
  }
}

/** Clears the pending SetupIntent once it succeeded. The payment settings decide whether its method becomes the default. */
export function onSetupAttempted(ctx: Context, setup: SetupIntent): void {
  const subscription = findObject(ctx.store, 'subscription', setup.hidden.subscription ?? '')
  if (subscription?.pending_setup_intent !== setup.id || setup.status !== 'succeeded') return
  const savesMethod = subscription.payment_settings?.save_default_payment_method === 'on_subscription'
  changeSubscription(ctx, subscription, {
    pending_setup_intent: null,
    ...(savesMethod ? { default_payment_method: setup.payment_method } : {}),
  })
}
