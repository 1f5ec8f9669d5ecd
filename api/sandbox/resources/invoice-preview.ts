import * as v from 'valibot'
import { discountAmounts } from '#api/sandbox/billing/discounts.ts'
import { draftInvoice, subscriptionParent } from '#api/sandbox/billing/invoice-draft.ts'
import { periodLine, withLines } from '#api/sandbox/billing/invoice-lines.ts'
import { itemAfterChange } from '#api/sandbox/billing/item-change.ts'
import { prorationInvoice } from '#api/sandbox/billing/prorations.ts'
import { periodFrom } from '#api/sandbox/billing/subscription-periods.ts'
import { itemOf } from '#api/sandbox/billing/subscription-state.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { text, whole } from './params.ts'
import { type Route, route } from './route.ts'
import { itemChanges } from './subscription-params.ts'

/** The next renewal's invoice as of now, unsaved. Leaves out pending invoice items. */
function renewalInvoice(ctx: Context, subscription: Subscription): Invoice {
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

const params = {
  customer: v.optional(text),
  subscription: text,
  subscription_details: v.strictObject({
    items: itemChanges,
    proration_behavior: v.picklist(['always_invoice', 'none']),
    proration_date: v.optional(whole),
  }),
}

const schema = v.strictObject(params)

/** What a change to the subscription would invoice now or, without proration, with the next renewal. Saves nothing. */
function preview(ctx: Context, { subscription: id, subscription_details }: v.InferOutput<typeof schema>): Invoice {
  const subscription = getObject(ctx, 'subscription', id, 'subscription')
  const { items, proration_behavior, proration_date: date } = subscription_details
  const changed = itemAfterChange(ctx, subscription, items)
  if (changed === null || subscription.status !== 'active') {
    throw invalid('The sandbox previews changes of an active subscription alone.', { param: 'subscription' })
  }
  const { item } = changed
  const invoice =
    proration_behavior === 'none'
      ? renewalInvoice(ctx, { ...subscription, items: { ...subscription.items, data: [item] } })
      : prorationInvoice(ctx, subscription, { item, date })
  return { ...invoice, id: `upcoming_${invoice.id}` }
}

export const invoicePreviewRoutes: Route[] = [route('POST /v1/invoices/create_preview', params, preview)]
