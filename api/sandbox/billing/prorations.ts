import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, InvoiceLine, Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import { insertObject } from '#api/sandbox/store/store.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import { discountAmounts, discountsOf, discountsOfItem } from './discounts.ts'
import { draftInvoice, subscriptionParent } from './invoice-draft.ts'
import { type CreditedItems, prorationLine, sumOf, takePendingItems, withLines } from './invoice-lines.ts'
import type { ChangedItem } from './item-change.ts'
import { itemOf } from './subscription-state.ts'
import { share } from './tax.ts'

type Debit = { amount: number; period: InvoiceLine['period']; credits: CreditedItems }

/** What was last charged for the item's current period, on an invoice or one to come, and what that period was. */
function lastDebit(ctx: Context, subscription: Subscription, item: SubscriptionItem): Debit | null {
  const { id, customer } = subscription
  const pending = allObjects(ctx, 'invoiceitem', { customer, invoice: null }).find(
    ({ amount, parent, period }) =>
      amount > 0 &&
      period.end === item.current_period_end &&
      parent?.subscription_details?.subscription_item === item.id,
  )
  if (pending !== undefined) return { amount: pending.amount, period: pending.period, credits: null }
  for (const invoice of allObjects(ctx, 'invoice', { subscription: id, status: 'paid' })) {
    const debit = invoice.lines.data.find(
      ({ amount, parent, period }) =>
        amount > 0 &&
        period.end === item.current_period_end &&
        parent?.subscription_item_details?.subscription_item === item.id,
    )
    if (debit === undefined) continue
    const { amount, discount_amounts, period } = debit
    const credits = { invoice: invoice.id, invoice_line_items: [debit.id] }
    return { amount: amount - sumOf(discount_amounts), period, credits }
  }
  return null
}

function discounted(ctx: Context, subscription: Subscription, item: SubscriptionItem): number {
  const amount = item.price.unit_amount * item.quantity
  return amount - sumOf(discountAmounts(ctx, discountsOfItem(item, discountsOf(ctx, subscription)), amount))
}

/** Such as `05 Mar 2026`. */
const utcDay = (at: number) =>
  new Date(at * 1000).toLocaleDateString('en-GB', { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' })

function describeProration(ctx: Context, what: string, { price }: SubscriptionItem, at: number): string {
  const { name } = getObject(ctx, 'product', price.product)
  return `${what} time on ${name} after ${utcDay(at)}`
}

/**
 * Credits what was charged for the rest of the period. In `billing_mode=classic` it's what the item's price is now, whatever was
 * charged. https://docs.stripe.com/billing/subscriptions/billing-mode/compare
 */
export function creditLine(
  ctx: Context,
  invoice: Invoice,
  subscription: Subscription,
  { item, at }: { item: SubscriptionItem; at: number },
): InvoiceLine {
  const period = { start: at, end: item.current_period_end }
  const last = lastDebit(ctx, subscription, item)
  const debit = subscription.billing_mode.type === 'classic' ? null : last
  const charged = debit?.amount ?? discounted(ctx, subscription, item)
  const whole = debit?.period ?? { start: item.current_period_start, end: period.end }
  return prorationLine(invoice, subscription, item, {
    amount: 0 - share(charged, period.end - period.start, whole.end - whole.start),
    description: describeProration(ctx, 'Unused', item, at),
    period,
    credits: last?.credits ?? null,
  })
}

function chargeLine(
  ctx: Context,
  invoice: Invoice,
  subscription: Subscription,
  { item, at }: { item: SubscriptionItem; at: number },
): InvoiceLine {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription)
  return prorationLine(invoice, subscription, item, {
    amount: share(discounted(ctx, subscription, item), end - at, end - start),
    description: describeProration(ctx, 'Remaining', item, at),
    period: { start: at, end },
    credits: null,
  })
}

export type Proration = { costing: ChangedItem[]; date: number | undefined }

type ProratedLine = { item: SubscriptionItem; line: InvoiceLine }

function dateWithin(ctx: Context, subscription: Subscription, date: number | undefined): number {
  const at = date ?? ctx.now
  const { current_period_start: start, current_period_end: end } = itemOf(subscription)
  if (at >= start && at < end) return at
  throw invalid('The proration date must be within the current period.', { param: 'proration_date' })
}

/** What's unused of all items. */
export function creditLines(
  ctx: Context,
  draft: Invoice,
  subscription: Subscription,
  date: number | undefined,
): InvoiceLine[] {
  const at = dateWithin(ctx, subscription, date)
  return subscription.items.data.map((item) => creditLine(ctx, draft, subscription, { item, at }))
}

/** For the rest of the period, what's unused of each item and then what takes its place. */
function prorationLines(
  ctx: Context,
  draft: Invoice,
  subscription: Subscription,
  { costing, date }: Proration,
): ProratedLine[] {
  const at = dateWithin(ctx, subscription, date)
  return costing.flatMap(({ old, item }) => [
    ...(old === null ? [] : [{ item: old, line: creditLine(ctx, draft, subscription, { item: old, at }) }]),
    ...(item === null ? [] : [{ item, line: chargeLine(ctx, draft, subscription, { item, at }) }]),
  ])
}

/**
 * The unsaved invoice for changing items at a time within the current period. In `billing_mode=classic` it takes what's pending for
 * the next invoice, and otherwise that stays pending, as one-time charges do.
 * https://docs.stripe.com/billing/subscriptions/pending-updates
 */
export function prorationInvoice(ctx: Context, subscription: Subscription, proration: Proration): Invoice {
  const draft = prorationDraft(ctx, subscription)
  return withLines(draft, [
    ...(subscription.billing_mode.type === 'classic' ? takePendingItems(ctx, draft) : []),
    ...prorationLines(ctx, draft, subscription, proration).map(({ line }) => line),
  ])
}

/** They wait for the next invoice. https://docs.stripe.com/billing/subscriptions/prorations */
export function createPendingProrations(ctx: Context, subscription: Subscription, proration: Proration): void {
  const lines = prorationLines(ctx, prorationDraft(ctx, subscription), subscription, proration)
  for (const { item, line } of lines) if (line.amount !== 0) createPendingItem(ctx, subscription, item, line)
}

export function createPendingItem(
  ctx: Context,
  subscription: Subscription,
  item: SubscriptionItem,
  { amount, currency, description, period, pricing, quantity }: InvoiceLine,
): void {
  const { customer, default_tax_rates: rates, test_clock } = subscription
  const own = item.tax_rates ?? []
  const pending = insertObject(ctx.store, {
    id: newId('ii'),
    object: 'invoiceitem',
    amount,
    currency,
    customer,
    customer_account: null,
    date: ctx.now,
    description: description ?? '',
    discountable: false,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: subscription.id, subscription_item: item.id },
    },
    period,
    pricing,
    proration: true,
    quantity,
    quantity_decimal: String(quantity),
    tax_rates: own.length > 0 ? own : rates,
    test_clock,
  })
  emitEvent(ctx, 'invoiceitem.created', pending)
}

export function prorationDraft(ctx: Context, subscription: Subscription): Invoice {
  return draftInvoice(ctx, subscription.customer, {
    currency: subscription.currency,
    billing_reason: 'subscription_update',
    auto_advance: false,
    default_tax_rates: subscription.default_tax_rates,
    parent: subscriptionParent(subscription),
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: subscription.payment_settings?.payment_method_types ?? null,
    },
    period_start: ctx.now,
    period_end: ctx.now,
  })
}
