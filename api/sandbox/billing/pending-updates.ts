import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { cycleInvoice, itemsFromNow } from './cycle-reset.ts'
import { endUsedDiscounts } from './discounts.ts'
import { finalizeAndCollect, payInvoice, paymentMethodOf } from './invoice-collection.ts'
import { finalizeInvoice, insertDraft } from './invoices.ts'
import type { ItemsAfter } from './item-change.ts'
import { createPendingProrations, prorationInvoice } from './prorations.ts'
import { changeSubscription, itemOf, onInvoicePaid } from './subscription-state.ts'

const secondsPerHour = 3600
const hoursToPay = 23

type Given = { payment_behavior?: string | undefined; proration_behavior?: string | undefined }

/** https://docs.stripe.com/billing/subscriptions/pending-updates-reference */
const carried = ['items', 'payment_behavior', 'proration_behavior', 'proration_date', 'billing_cycle_anchor']

/** A pending update can only contain what changes the price. */
export function assertPendingAllowed(change: Given): void {
  if (change.payment_behavior !== 'pending_if_incomplete') return
  const given = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const other = given.find((name) => !carried.includes(name))
  if (other === undefined) return
  throw invalid(`When payment_behavior is set to pending_if_incomplete, you cannot pass ${other}.`, { param: other })
}

function assertSupported({ status, schedule }: Subscription, { payment_behavior, proration_behavior }: Given): void {
  if (payment_behavior === 'pending_if_incomplete' && proration_behavior !== 'always_invoice') {
    throw invalid('The sandbox makes pending updates with proration_behavior=always_invoice alone.', {
      param: 'proration_behavior',
    })
  }
  const isKnown = ['pending_if_incomplete', 'allow_incomplete', undefined].includes(payment_behavior)
  if (!isKnown) {
    throw invalid(`The sandbox prorates without payment_behavior=${payment_behavior}.`, { param: 'payment_behavior' })
  }
  if (status !== 'active') throw invalid('The sandbox prorates active subscriptions alone.', { param: 'items' })
  if (payment_behavior === 'pending_if_incomplete' && schedule !== null) {
    throw invalid('The sandbox makes no pending updates with a schedule.', { param: 'payment_behavior' })
  }
}

export type Prorated = Given & Pick<ItemsAfter, 'items' | 'costing'> & { proration_date?: number | undefined }

/** Changes the items' cost within the period, for which the customer pays at once, or with the next invoice. */
export function prorate(
  ctx: Context,
  before: Subscription,
  prorated: Prorated,
  change: () => Subscription,
): Subscription {
  assertSupported(before, prorated)
  const { costing, items, payment_behavior, proration_behavior, proration_date: date } = prorated
  if (payment_behavior === 'pending_if_incomplete') {
    return updateOncePaid(ctx, before, { draft: prorationInvoice(ctx, before, { costing, date }), items })
  }
  if (proration_behavior !== 'always_invoice') {
    createPendingProrations(ctx, before, { costing, date })
    return change()
  }
  const draft = prorationInvoice(ctx, before, { costing, date })
  const invoice = insertDraft(ctx, { ...draft, auto_advance: true })
  changeSubscription(ctx, change(), { latest_invoice: invoice.id })
  finalizeAndCollect(ctx, invoice)
  return getObject(ctx, 'subscription', before.id)
}

type Restarted = Given & { items: SubscriptionItem[]; proration_date?: number | undefined }

/** Begins a period today, and bills it at once whatever `proration_behavior` says. */
export function restartCycle(
  ctx: Context,
  before: Subscription,
  { items, payment_behavior, proration_behavior, proration_date: date }: Restarted,
  change: (begun: { items: SubscriptionItem[]; anchor: number }) => Subscription,
): Subscription {
  assertSupported(before, { payment_behavior, proration_behavior })
  if (before.schedule !== null) {
    throw invalid('The sandbox begins no cycle anew with a schedule.', { param: 'billing_cycle_anchor' })
  }
  const draft = cycleInvoice(ctx, before, { items, proration_behavior, date })
  const begun = { items: itemsFromNow(ctx, before, items), anchor: ctx.now }
  if (payment_behavior === 'pending_if_incomplete') return updateOncePaid(ctx, before, { draft, ...begun })
  const invoice = insertDraft(ctx, { ...draft, auto_advance: true })
  const after = change(begun)
  const left = endUsedDiscounts(ctx, after, invoice.total_discount_amounts)
  changeSubscription(ctx, after, { latest_invoice: invoice.id, ...left })
  finalizeAndCollect(ctx, invoice)
  return getObject(ctx, 'subscription', before.id)
}

/** `anchor`: of a period that begins with the change. */
type Waiting = { draft: Invoice; items: SubscriptionItem[]; anchor?: number }

/**
 * Invoices the change now, and tries to collect it. The items change once that's paid. Until then the change is pending, for 23
 * hours or until the period ends.
 */
function updateOncePaid(ctx: Context, before: Subscription, { draft, items, anchor }: Waiting): Subscription {
  if (draft.total < 0)
    throw invalid('The sandbox keeps no balances: the change must cost something.', { param: 'items' })
  insertDraft(ctx, draft)
  const begun = changeSubscription(ctx, before, {
    latest_invoice: draft.id,
    hidden: { ...before.hidden, update: { invoice: draft.id, items, ...(anchor === undefined ? {} : { anchor }) } },
  })
  const open = finalizeInvoice(ctx, draft, paymentMethodOf(ctx, draft)?.id ?? null)
  if (collectInvoice(ctx, open)) return getObject(ctx, 'subscription', before.id)
  return changeSubscription(ctx, getObject(ctx, 'subscription', begun.id), {
    pending_update: {
      billing_cycle_anchor: anchor ?? null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: Math.min(ctx.now + hoursToPay * secondsPerHour, itemOf(begun).current_period_end),
      metadata: null,
      subscription_items: items,
      trial_end: null,
      trial_from_plan: null,
    },
  })
}

/** Whether the invoice is paid now. The customer is present, so the bank may ask them. */
function collectInvoice(ctx: Context, open: Invoice): boolean {
  if (open.status === 'paid') onInvoicePaid(ctx, open, null)
  const method = paymentMethodOf(ctx, open)
  if (open.status === 'open' && method !== null) payInvoice(ctx, open, method, false)
  return getObject(ctx, 'invoice', open.id).status === 'paid'
}
