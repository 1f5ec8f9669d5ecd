import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, InvoiceLine, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import { discountAmounts, discountsOf, discountsOfItem, endUsedDiscounts } from './discounts.ts'
import { finalizeAndCollect, payInvoice, paymentMethodOf, paymentMethodOfSubscription } from './invoice-collection.ts'
import { draftInvoice, subscriptionParent } from './invoice-draft.ts'
import { periodLine, takePendingItems, withLines } from './invoice-lines.ts'
import { finalizeInvoice, insertDraft, markUncollectible, voidInvoice } from './invoices.ts'
import { pause } from './pauses.ts'
import { nextBoundary } from './periods.ts'
import { announceSubscription, changeSubscription, endPause, endSubscription, itemOf } from './subscription-state.ts'

type Period = { start: number; end: number }

/** The period that begins at `start`, counted from the subscription's anchor, in unix seconds. */
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

type PeriodFields = Pick<Invoice, 'billing_reason' | 'auto_advance' | 'period_start' | 'period_end'>

const periodDraft = (ctx: Context, subscription: Subscription, fields: PeriodFields): Invoice =>
  draftInvoice(ctx, subscription.customer, {
    ...fields,
    currency: subscription.currency,
    default_tax_rates: subscription.default_tax_rates,
    discounts: discountsOf(ctx, subscription),
    parent: subscriptionParent(subscription),
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: subscription.payment_settings?.payment_method_types ?? null,
    },
    description: subscription.description,
  })

function insertPeriodDraft(ctx: Context, whole: Invoice): Invoice {
  const minutes = whole.auto_advance && whole.billing_reason === 'subscription_cycle' ? ctx.settings.draftMinutes : 0
  const finalizesAt = minutes > 0 ? ctx.now + minutes * 60 : null
  return insertDraft(ctx, { ...whole, automatically_finalizes_at: finalizesAt, next_payment_attempt: finalizesAt })
}

/** A line for each item's period, less the discounts of the invoice. */
export function periodLines(ctx: Context, draft: Invoice, subscription: Subscription): InvoiceLine[] {
  const free = subscription.status === 'trialing'
  return subscription.items.data.map((item) => {
    const period = { start: item.current_period_start, end: item.current_period_end }
    const { name } = getObject(ctx, 'product', item.price.product)
    const discounts = (amount: number) => discountAmounts(ctx, discountsOfItem(item, draft.discounts), amount)
    return periodLine(draft, subscription, item, { name, period, free, discounts })
  })
}

/** Makes a draft for the current period the latest invoice. One `customer.subscription.updated` reports it and `change`. */
export function createPeriodInvoice(
  ctx: Context,
  before: Subscription,
  fields: PeriodFields,
  change: Partial<Subscription> = {},
): { draft: Invoice; subscription: Subscription } {
  const subscription = { ...before, ...change }
  const draft = periodDraft(ctx, subscription, fields)
  // Pending invoice items come first, as at Stripe.
  const whole = withLines(draft, [...takePendingItems(ctx, draft), ...periodLines(ctx, draft, subscription)])
  const save = fields.billing_reason === 'subscription_create' ? announceSubscription : changeSubscription
  const left = endUsedDiscounts(ctx, subscription, whole.total_discount_amounts)
  const billed = save(ctx, before, { ...change, latest_invoice: whole.id, ...left })
  return { draft: insertPeriodDraft(ctx, whole), subscription: billed }
}

function applyPauseBehavior(ctx: Context, draft: Invoice, behaviour: string): void {
  if (behaviour === 'keep_as_draft') return
  const open = finalizeInvoice(ctx, draft, null)
  if (open.status !== 'open') return
  if (behaviour === 'void') voidInvoice(ctx, open)
  else markUncollectible(ctx, open)
}

/** Of an invoice at the end of the subscription's period. */
function cycleFields(subscription: Subscription) {
  const { current_period_start, current_period_end } = itemOf(subscription)
  return {
    billing_reason: 'subscription_cycle' as const,
    auto_advance: subscription.pause_collection === null && subscription.status !== 'unpaid',
    period_start: current_period_start,
    period_end: current_period_end,
  }
}

function collectCycle(ctx: Context, { pause_collection: paused }: Subscription, draft: Invoice): void {
  if (paused !== null) applyPauseBehavior(ctx, draft, paused.behavior)
  else if (draft.auto_advance && draft.automatically_finalizes_at === null) finalizeAndCollect(ctx, draft)
}

function renewSubscription(ctx: Context, before: Subscription): void {
  const { draft } = createPeriodInvoice(ctx, before, cycleFields(before), {
    items: withPeriod(before, periodFrom(before, itemOf(before).current_period_end)),
    ...(before.status === 'trialing' ? { status: 'active' } : {}),
  })
  collectCycle(ctx, before, draft)
}

/**
 * What's pending is collected where a subscription ends with its period, by a last invoice, and stays where it ends before.
 * https://docs.stripe.com/api/subscriptions/cancel
 */
export function onCancel(ctx: Context, id: string): void {
  const before = getObject(ctx, 'subscription', id)
  const { customer, currency } = before
  const ended = endSubscription(ctx, before, { status: 'canceled', reason: null })
  const isPending = allObjects(ctx, 'invoiceitem', { customer, currency, invoice: null }).length > 0
  if (!isPending || itemOf(before).current_period_end > ctx.now) return
  const empty = periodDraft(ctx, before, cycleFields(before))
  const draft = insertPeriodDraft(ctx, withLines(empty, takePendingItems(ctx, empty)))
  saveObject(ctx.store, { ...ended, latest_invoice: draft.id })
  collectCycle(ctx, before, draft)
}

export function onRenewal(ctx: Context, id: string): void {
  renewSubscription(ctx, getObject(ctx, 'subscription', id))
}

/** With a payment method the first paid period begins. Otherwise the trial settings decide. */
export function onTrialEnd(ctx: Context, id: string): void {
  const subscription = getObject(ctx, 'subscription', id)
  const behaviour = subscription.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice'
  if (paymentMethodOfSubscription(ctx, subscription) !== null || behaviour === 'create_invoice')
    renewSubscription(ctx, subscription)
  else if (behaviour === 'cancel') endSubscription(ctx, subscription, { status: 'canceled', reason: null })
  else pause(ctx, subscription, 'trial_end_without_payment_method')
}

export function onTrialWillEnd(ctx: Context, id: string): void {
  const subscription = getObject(ctx, 'subscription', id)
  changeSubscription(ctx, subscription, { hidden: { ...subscription.hidden, trialEndAnnounced: true } })
  emitEvent(ctx, 'customer.subscription.trial_will_end', subscription)
}

export type ResumeParams = {
  billing_cycle_anchor?: { type: 'now' | 'unchanged' } | undefined
  payment_behavior: 'resume_on_payment_attempt' | 'resume_on_payment_success'
}

/**
 * Resumes a paused subscription with an invoice for the period that begins now. `resume_on_payment_attempt` tries to collect it
 * straight away. Otherwise the subscription stays paused until it's paid, for at most 23 hours.
 */
export function resumeSubscription(ctx: Context, paused: Subscription, params: ResumeParams): Subscription {
  if (paused.status !== 'paused') {
    throw invalid(`Subscription ${paused.id} is not paused. Only paused subscriptions can be resumed.`)
  }
  if (params.billing_cycle_anchor?.type === 'unchanged') {
    throw invalid('The sandbox resumes with a new billing cycle only.', { param: 'billing_cycle_anchor' })
  }
  const anchored = { ...paused, billing_cycle_anchor: ctx.now }
  const begun = changeSubscription(ctx, paused, {
    billing_cycle_anchor: ctx.now,
    items: withPeriod(anchored, periodFrom(anchored, ctx.now)),
  })
  const { draft, subscription } = createPeriodInvoice(ctx, begun, {
    billing_reason: 'subscription_update',
    auto_advance: true,
    period_start: ctx.now,
    period_end: ctx.now,
  })
  const open = finalizeInvoice(ctx, draft, paymentMethodOf(ctx, draft)?.id ?? null)
  const afterInvoice = changeSubscription(ctx, subscription, {
    hidden: { ...subscription.hidden, resume: { invoice: open.id, askedAt: ctx.now } },
  })
  const method = paymentMethodOf(ctx, open)
  if (open.status === 'paid') return endPause(ctx, afterInvoice)
  if (method !== null && params.payment_behavior === 'resume_on_payment_attempt') payInvoice(ctx, open, method, false)
  return getObject(ctx, 'subscription', paused.id)
}
