import * as v from 'valibot'
import { saveInvoice } from '#api/stripe/sandbox/billing/invoice-life.ts'
import { itemLine, withLines } from '#api/stripe/sandbox/billing/invoice-lines.ts'
import { taxRatesOf } from '#api/stripe/sandbox/billing/subscription-draft.ts'
import { invalid } from '#api/stripe/sandbox/http/errors.ts'
import { listPage } from '#api/stripe/sandbox/http/lists.ts'
import { amount, metadata, paging, text, whole } from '#api/stripe/sandbox/http/params.ts'
import { type Route, route } from '#api/stripe/sandbox/http/route.ts'
import type { InvoiceItem, Price } from '#api/stripe/sandbox/store/billing-objects.ts'
import { get } from '#api/stripe/sandbox/store/get.ts'
import { newId } from '#api/stripe/sandbox/store/ids.ts'
import { insertObject } from '#api/stripe/sandbox/store/store.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'
import { emit } from '#api/stripe/sandbox/webhooks/emit.ts'

const creation = {
  amount: v.optional(whole),
  currency: v.optional(text, 'gbp'),
  customer: text,
  description: v.optional(text),
  invoice: text,
  metadata,
  pricing: v.optional(v.strictObject({ price: text })),
  quantity: v.optional(amount, '1'),
  tax_rates: v.optional(v.array(text)),
}

const creationSchema = v.strictObject(creation)

function pricingOf(price: Price): NonNullable<InvoiceItem['pricing']> {
  return {
    type: 'price_details',
    unit_amount_decimal: price.unit_amount_decimal,
    price_details: { price: price.id, product: price.product },
  }
}

/** A single charge on a draft invoice: either `amount`, or a price times `quantity`. */
function create(work: Work, params: v.InferOutput<typeof creationSchema>): InvoiceItem {
  const invoice = get(work, 'invoice', params.invoice, 'invoice')
  if (invoice.status !== 'draft') {
    throw invalid('This invoice is no longer editable', { code: 'invoice_not_editable', param: 'invoice' })
  }
  const price = params.pricing === undefined ? null : get(work, 'price', params.pricing.price, 'pricing[price]')
  const sum = price === null ? params.amount : price.unit_amount * params.quantity
  if (sum === undefined)
    throw invalid('Missing required param: amount.', { code: 'parameter_missing', param: 'amount' })
  const item = insertObject(work.store, {
    id: newId('ii'),
    object: 'invoiceitem',
    amount: sum,
    currency: price?.currency ?? params.currency.toLowerCase(),
    customer: get(work, 'customer', params.customer, 'customer').id,
    customer_account: null,
    date: work.now,
    description: params.description ?? price?.nickname ?? null,
    discountable: true,
    discounts: [],
    invoice: invoice.id,
    livemode: false,
    metadata: params.metadata ?? {},
    parent: null,
    period: { start: work.now, end: work.now },
    pricing: price && pricingOf(price),
    proration: false,
    quantity: price === null ? 1 : params.quantity,
    quantity_decimal: String(price === null ? 1 : params.quantity),
    tax_rates: taxRatesOf(work, params.tax_rates, 'tax_rates'),
    test_clock: null,
  })
  saveInvoice(work, withLines(invoice, [...invoice.lines.data, itemLine(invoice, item)]))
  emit(work, 'invoiceitem.created', item)
  return item
}

export const invoiceItemRoutes: Route[] = [
  route('POST /v1/invoiceitems', creation, create),
  route('GET /v1/invoiceitems/:id', {}, (work, _params, id) => get(work, 'invoiceitem', id)),
  route(
    'GET /v1/invoiceitems',
    { ...paging, customer: v.optional(text), invoice: v.optional(text) },
    (work, params) => {
      const filters = { customer: params.customer, invoice: params.invoice }
      return listPage(work, { kind: 'invoiceitem', url: '/v1/invoiceitems', filters, paging: params })
    },
  ),
]
