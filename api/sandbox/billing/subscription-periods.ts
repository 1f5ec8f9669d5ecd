import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { get, type Work } from '#api/sandbox/store/context.ts'
import { emit } from '#api/sandbox/webhooks/events.ts'
import { discountAmounts, withoutUsed } from './discounts.ts'
import { finalizeAndCollect, methodOf, methodOfSubscription, payInvoice } from './invoice-collection.ts'
import { draftInvoice, subscriptionParent } from './invoice-draft.ts'
import { periodLine, takePendingItems, withLines } from './invoice-lines.ts'
import { finalizeInvoice, markUncollectible, storeDraft, voidInvoice } from './invoices.ts'
import { nextBoundary } from './periods.ts'
import { announceSubscription, changeSubscription, endPause, endSubscription, itemOf } from './subscription-state.ts'

type Period = { start: number; end: number }

/** The period that begins at `start`, counted from the subscription's anchor. Unix seconds. */
export function periodFrom(subscription: Subscription, start: number): Period {
  const { recurring } = itemOf(subscription).price
  if (recurring === null) throw new Error(`subscription ${subscription.id} has a price that does not recur`)
  return { start, end: nextBoundary(subscription.billing_cycle_anchor, recurring, start) }
}

export function withPeriod(subscription: Subscription, period: Period): Subscription['items'] {
  return {
    ...subscription.items,
    data: subscription.items.data.map((item) => ({
      ...item,
      current_period_start: period.start,
      current_period_end: period.end,
    })),
  }
}

/**
 * A draft for the subscription's current period, stored and announced, and the subscription with it as its latest.
 * `change`: what else changes with it, in the same piece of news.
 */
export function draftForPeriod(
  work: Work,
  before: Subscription,
  fields: Pick<Invoice, 'billing_reason' | 'auto_advance' | 'period_start' | 'period_end'>,
  change: Partial<Subscription> = {},
): { draft: Invoice; subscription: Subscription } {
  const subscription = { ...before, ...change }
  const draft = draftInvoice(work, subscription.customer, {
    ...fields,
    currency: subscription.currency,
    default_tax_rates: subscription.default_tax_rates,
    discounts: subscription.discounts,
    parent: subscriptionParent(subscription),
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: subscription.payment_settings?.payment_method_types ?? null,
    },
    description: subscription.description,
  })
  const free = subscription.status === 'trialing'
  const discounts = (amount: number) => discountAmounts(work, subscription.discounts, amount)
  const lines = subscription.items.data.map((item) => {
    const period = { start: item.current_period_start, end: item.current_period_end }
    const { name } = get(work, 'product', item.price.product)
    return periodLine(draft, subscription, item, { name, period, free, discounts })
  })
  const minutes = fields.auto_advance && fields.billing_reason === 'subscription_cycle' ? work.settings.draftMinutes : 0
  const waits = minutes > 0 ? work.now + minutes * 60 : null
  // What waited for this invoice stands first, as at Stripe.
  const whole = withLines(draft, [...takePendingItems(work, draft), ...lines])
  const tell = fields.billing_reason === 'subscription_create' ? announceSubscription : changeSubscription
  const left = withoutUsed(work, subscription.discounts, whole.total_discount_amounts)
  const billed = tell(work, before, { ...change, latest_invoice: whole.id, discounts: left })
  return { draft: storeDraft(work, { ...whole, automatically_finalizes_at: waits }), subscription: billed }
}

/** What `pause_collection` does with an invoice that would be collected otherwise. */
function setAside(work: Work, draft: Invoice, behaviour: string): void {
  if (behaviour === 'keep_as_draft') return
  const open = finalizeInvoice(work, draft, null)
  if (open.status !== 'open') return
  if (behaviour === 'void') voidInvoice(work, open)
  else markUncollectible(work, open)
}

/** Begins the next period and bills it. */
function renew(work: Work, before: Subscription): void {
  const last = itemOf(before)
  const paused = before.pause_collection
  const collects = paused === null && before.status !== 'unpaid'
  const fields = {
    billing_reason: 'subscription_cycle' as const,
    auto_advance: collects,
    period_start: last.current_period_start,
    period_end: last.current_period_end,
  }
  const { draft } = draftForPeriod(work, before, fields, {
    items: withPeriod(before, periodFrom(before, last.current_period_end)),
    ...(before.status === 'trialing' ? { status: 'active' } : {}),
  })
  if (paused !== null) setAside(work, draft, paused.behavior)
  else if (collects && draft.automatically_finalizes_at === null) finalizeAndCollect(work, draft)
}

export function onRenewal(work: Work, id: string): void {
  renew(work, get(work, 'subscription', id))
}

/** The trial ends: with a card the first real period begins; without one it goes as the trial settings say. */
export function onTrialEnd(work: Work, id: string): void {
  const subscription = get(work, 'subscription', id)
  const behaviour = subscription.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice'
  if (methodOfSubscription(work, subscription) !== null || behaviour === 'create_invoice') renew(work, subscription)
  else if (behaviour === 'cancel') endSubscription(work, subscription, { status: 'canceled', reason: null })
  else pauseAtTrialEnd(work, subscription)
}

function pauseAtTrialEnd(work: Work, subscription: Subscription): void {
  const paused = changeSubscription(work, subscription, {
    status: 'paused',
    status_details: {
      paused: {
        subscription: { type: 'trial_end_without_payment_method' },
        transitioned_at: work.now,
        type: 'subscription',
      },
    },
  })
  emit(work, 'customer.subscription.paused', paused)
}

export function onTrialWillEnd(work: Work, id: string): void {
  const subscription = get(work, 'subscription', id)
  changeSubscription(work, subscription, { hidden: { ...subscription.hidden, trialEndAnnounced: true } })
  emit(work, 'customer.subscription.trial_will_end', subscription)
}

export type ResumeParams = {
  billing_cycle_anchor: 'now' | 'unchanged'
  payment_behavior: 'resume_on_payment_attempt' | 'resume_on_payment_success'
}

/**
 * Ends a pause with a resumption invoice for the period that begins now. With `resume_on_payment_attempt` the invoice is
 * tried at once; without success the subscription stays paused until the invoice is paid, for at most 23 hours.
 */
export function resumeSubscription(work: Work, paused: Subscription, params: ResumeParams): Subscription {
  if (paused.status !== 'paused') {
    throw invalid(`Subscription ${paused.id} is not paused. Only paused subscriptions can be resumed.`)
  }
  if (params.billing_cycle_anchor === 'unchanged') {
    throw invalid('The sandbox resumes with a new billing cycle only.', { param: 'billing_cycle_anchor' })
  }
  const anchored = { ...paused, billing_cycle_anchor: work.now }
  const begun = changeSubscription(work, paused, {
    billing_cycle_anchor: work.now,
    items: withPeriod(anchored, periodFrom(anchored, work.now)),
  })
  const { draft, subscription } = draftForPeriod(work, begun, {
    billing_reason: 'subscription_update',
    auto_advance: true,
    period_start: work.now,
    period_end: work.now,
  })
  const open = finalizeInvoice(work, draft, methodOf(work, draft)?.id ?? null)
  const asked = changeSubscription(work, subscription, {
    hidden: { ...subscription.hidden, resume: { invoice: open.id, askedAt: work.now } },
  })
  const method = methodOf(work, open)
  if (open.status === 'paid') return endPause(work, asked)
  if (method !== null && params.payment_behavior === 'resume_on_payment_attempt') payInvoice(work, open, method, false)
  return get(work, 'subscription', paused.id)
}
