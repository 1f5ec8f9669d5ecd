import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { payInvoice, paymentMethodOf } from './invoice-collection.ts'
import { finalizeInvoice, insertDraft } from './invoices.ts'
import type { ItemsAfter } from './item-change.ts'
import { prorationInvoice } from './prorations.ts'
import { changeSubscription, itemOf, onInvoicePaid } from './subscription-state.ts'

const secondsPerHour = 3600
const hoursToPay = 23

type Given = { payment_behavior?: string | undefined; proration_behavior?: string | undefined }

/** https://docs.stripe.com/billing/subscriptions/pending-updates-reference */
const carried = ['items', 'payment_behavior', 'proration_behavior', 'proration_date']

/** A pending update can only contain what changes the price. */
export function assertPendingAllowed(change: Given): void {
  if (change.payment_behavior !== 'pending_if_incomplete') return
  const given = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const other = given.find((name) => !carried.includes(name))
  if (other === undefined) return
  throw invalid(`When payment_behavior is set to pending_if_incomplete, you cannot pass ${other}.`, { param: other })
}

function assertSupported({ status, schedule }: Subscription, { payment_behavior, proration_behavior }: Given): void {
  if (proration_behavior !== 'always_invoice') {
    throw invalid('The sandbox prorates with proration_behavior=always_invoice alone.', { param: 'proration_behavior' })
  }
  if (payment_behavior !== 'pending_if_incomplete') {
    throw invalid('The sandbox prorates with payment_behavior=pending_if_incomplete alone.', {
      param: 'payment_behavior',
    })
  }
  if (status !== 'active' || schedule !== null) {
    throw invalid('The sandbox prorates active subscriptions without a schedule alone.', { param: 'items' })
  }
}

export type Upgrade = Given & Pick<ItemsAfter, 'item' | 'old' | 'items'> & { proration_date?: number | undefined }

/**
 * Invoices the difference for the rest of the period now, and tries to collect it. The item changes once that's paid. Until then
 * the change is pending, for 23 hours or until the period ends.
 */
export function upgradeSubscription(ctx: Context, before: Subscription, upgrade: Upgrade): Subscription {
  assertSupported(before, upgrade)
  const { item, old, items, proration_date: date } = upgrade
  const draft = prorationInvoice(ctx, before, { item, old, date })
  if (draft.total < 0)
    throw invalid('The sandbox keeps no balances: the change must cost something.', { param: 'items' })
  insertDraft(ctx, draft)
  const begun = changeSubscription(ctx, before, {
    latest_invoice: draft.id,
    hidden: { ...before.hidden, update: { invoice: draft.id, items } },
  })
  const open = finalizeInvoice(ctx, draft, paymentMethodOf(ctx, draft)?.id ?? null)
  if (collectInvoice(ctx, open)) return getObject(ctx, 'subscription', before.id)
  return changeSubscription(ctx, getObject(ctx, 'subscription', begun.id), {
    pending_update: {
      billing_cycle_anchor: null,
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
