import * as v from 'valibot'
import { itemAfterChange } from '#api/sandbox/billing/item-change.ts'
import { prorationInvoice } from '#api/sandbox/billing/prorations.ts'
import { renewalInvoice } from '#api/sandbox/billing/renewal-preview.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { text, whole } from './params.ts'
import { type Route, route } from './route.ts'
import { itemChanges } from './subscription-params.ts'

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

/** What a change of the subscription would invoice at once, or without proration with the next renewal. Nothing is stored. */
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
