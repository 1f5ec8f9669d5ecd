import { subscriptionIdOf } from '#api/sandbox/billing/invoice-draft.ts'
import { changeSubscription, endSubscription } from '#api/sandbox/billing/subscription-state.ts'
import { allObjects } from '#api/sandbox/http/lists.ts'
import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { findObject } from '#api/sandbox/store/store.ts'
import type { Work } from '#api/sandbox/store/work.ts'
import { emit } from '#api/sandbox/webhooks/emit.ts'

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
function endPause(work: Work, subscription: Subscription): void {
  const resumed = changeSubscription(work, subscription, {
    status: 'active',
    hidden: { ...subscription.hidden, resume: null },
  })
  emit(work, 'customer.subscription.resumed', resumed)
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
