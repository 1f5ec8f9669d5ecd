import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { discountAmounts } from './discounts.ts'
import { draftInvoice, subscriptionParent } from './invoice-draft.ts'
import { periodLine, withLines } from './invoice-lines.ts'
import { periodFrom } from './subscription-periods.ts'
import { itemOf } from './subscription-state.ts'

/** The invoice of the next renewal as it would be now, which is not stored; pending invoice items are left out. */
export function renewalInvoice(ctx: Context, subscription: Subscription): Invoice {
  const item = itemOf(subscription)
  const { discounts, default_tax_rates } = subscription
  const draft = draftInvoice(ctx, subscription.customer, {
    currency: subscription.currency,
    billing_reason: 'upcoming',
    auto_advance: true,
    ...{ default_tax_rates, discounts, parent: subscriptionParent(subscription) },
    period_start: item.current_period_start,
    period_end: item.current_period_end,
  })
  const line = periodLine(draft, subscription, item, {
    name: getObject(ctx, 'product', item.price.product).name,
    period: periodFrom(subscription, item.current_period_end),
    free: false,
    discounts: (amount) => discountAmounts(ctx, discounts, amount),
  })
  return withLines(draft, [line])
}
