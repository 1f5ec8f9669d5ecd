import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, InvoiceLine, Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import { discountAmounts, discountsOf, discountsOfItem } from './discounts.ts'
import { draftInvoice, subscriptionParent } from './invoice-draft.ts'
import { prorationLine, sumOf, takePendingItems, withLines } from './invoice-lines.ts'
import { itemOf } from './subscription-state.ts'
import { share } from './tax.ts'

/** What was last charged for the item's current period, and what that period was. */
function lastDebit(ctx: Context, subscription: Subscription, item: SubscriptionItem) {
  for (const invoice of allObjects(ctx, 'invoice', { subscription: subscription.id, status: 'paid' })) {
    const debit = invoice.lines.data.find(
      ({ amount, parent, period }) =>
        amount > 0 &&
        period.end === item.current_period_end &&
        parent?.subscription_item_details?.subscription_item === item.id,
    )
    if (debit !== undefined) return { invoice: invoice.id, debit }
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
  const isClassic = subscription.billing_mode.type === 'classic'
  const charged = last === null || isClassic ? discounted(ctx, subscription, item) : chargedBy(last.debit)
  const whole = last?.debit.period ?? { start: item.current_period_start, end: period.end }
  return prorationLine(invoice, subscription, item, {
    amount: 0 - share(charged, period.end - period.start, whole.end - whole.start),
    description: describeProration(ctx, 'Unused', item, at),
    period,
    credits: last && { invoice: last.invoice, invoice_line_items: [last.debit.id] },
  })
}

function chargedBy({ amount, discount_amounts }: InvoiceLine): number {
  return amount - sumOf(discount_amounts)
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

/**
 * The unsaved invoice for changing `item` at a time within the current period: the new item's cost for the rest of the period,
 * less what's unused of `old`. In `billing_mode=classic` it takes what's pending for the next invoice, and otherwise that stays
 * pending, as one-time charges do. https://docs.stripe.com/billing/subscriptions/pending-updates
 */
export function prorationInvoice(
  ctx: Context,
  subscription: Subscription,
  { item, old, date }: { item: SubscriptionItem; old: SubscriptionItem; date: number | undefined },
): Invoice {
  const at = date ?? ctx.now
  const { current_period_start: start, current_period_end: end } = itemOf(subscription)
  if (at < start || at >= end) {
    throw invalid('The proration date must be within the current period.', { param: 'proration_date' })
  }
  const draft = prorationDraft(ctx, subscription)
  return withLines(draft, [
    ...(subscription.billing_mode.type === 'classic' ? takePendingItems(ctx, draft) : []),
    creditLine(ctx, draft, subscription, { item: old, at }),
    chargeLine(ctx, draft, subscription, { item, at }),
  ])
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
