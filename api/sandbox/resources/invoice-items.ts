import * as v from 'valibot'
import { itemLine, withLines } from '#api/sandbox/billing/invoice-lines.ts'
import { saveInvoice } from '#api/sandbox/billing/invoices.ts'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { taxRatesOf } from '#api/sandbox/billing/subscription-draft.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, InvoiceItem, InvoiceLine, Price } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import { insertObject, markDeleted, saveObject } from '#api/sandbox/store/store.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import { itemPriceData, priceFromData } from './catalogue.ts'
import { amount, clearable, currency, flag, metadata, paging, pence, range, text, whole } from './params.ts'
import { type Route, route } from './route.ts'

const cost = {
  amount: v.optional(whole),
  price_data: itemPriceData,
  pricing: v.optional(v.strictObject({ price: text })),
  unit_amount_decimal: v.optional(pence),
}

const shown = {
  description: v.optional(text),
  discountable: v.optional(flag),
  metadata,
  period: v.optional(v.strictObject({ end: whole, start: whole })),
}

const creation = {
  ...cost,
  ...shown,
  currency: v.optional(currency, 'gbp'),
  customer: text,
  invoice: v.optional(text),
  quantity: v.optional(amount, '1'),
  tax_rates: v.optional(v.array(text)),
}

const creationSchema = v.strictObject(creation)
type Creation = v.InferOutput<typeof creationSchema>

function pricingOf(price: Price): NonNullable<InvoiceItem['pricing']> {
  return {
    type: 'price_details',
    unit_amount_decimal: price.unit_amount_decimal,
    price_details: { price: price.id, product: price.product },
  }
}

function requireDraft(ctx: Context, id: string): Invoice {
  const invoice = getObject(ctx, 'invoice', id, 'invoice')
  if (invoice.status === 'draft') return invoice
  throw invalid('This invoice is no longer editable', { code: 'invoice_not_editable', param: 'invoice' })
}

type Cost = Pick<Creation, 'amount' | 'currency' | 'price_data' | 'pricing' | 'quantity' | 'unit_amount_decimal'>

function priceOf(ctx: Context, { price_data, pricing }: Cost): Price | null {
  if (price_data !== undefined) return priceFromData(ctx, price_data, 'price_data')
  return pricing === undefined ? null : getObject(ctx, 'price', pricing.price, 'pricing[price]')
}

function resolveCost(ctx: Context, params: Cost) {
  const price = priceOf(ctx, params)
  const each = price?.unit_amount ?? params.unit_amount_decimal
  const amount = each === undefined ? params.amount : each * params.quantity
  if (amount === undefined) {
    throw invalid('Missing required param: amount.', { code: 'parameter_missing', param: 'amount' })
  }
  const quantity = each === undefined ? 1 : params.quantity
  return {
    amount,
    currency: price?.currency ?? params.currency,
    name: price?.nickname ?? null,
    pricing: price && pricingOf(price),
    quantity,
    quantity_decimal: String(quantity),
  }
}

function draftFor(ctx: Context, { customer, invoice: id }: Creation): Invoice | null {
  const invoice = id === undefined ? null : requireDraft(ctx, id)
  if (invoice === null || invoice.customer === customer) return invoice
  throw invalid('The customer of the invoice item and of its invoice differ.', { param: 'customer' })
}

function create(ctx: Context, params: Creation): InvoiceItem {
  const customer = getObject(ctx, 'customer', params.customer, 'customer')
  const invoice = draftFor(ctx, params)
  const { name, ...price } = resolveCost(ctx, params)
  const item = insertObject(ctx.store, {
    id: newId('ii'),
    object: 'invoiceitem',
    ...price,
    customer: customer.id,
    customer_account: null,
    date: ctx.now,
    description: params.description ?? name,
    discountable: params.discountable ?? true,
    discounts: [],
    invoice: invoice?.id ?? null,
    livemode: false,
    metadata: params.metadata ?? {},
    parent: null,
    period: params.period ?? { start: ctx.now, end: ctx.now },
    proration: false,
    tax_rates: taxRatesOf(ctx, params.tax_rates, 'tax_rates'),
    test_clock: customer.test_clock,
  })
  if (invoice !== null) saveInvoice(ctx, withLines(invoice, [...invoice.lines.data, itemLine(invoice, item)]))
  emitEvent(ctx, 'invoiceitem.created', item)
  return item
}

function isLineOf(item: InvoiceItem, line: InvoiceLine): boolean {
  return line.parent?.invoice_item_details?.invoice_item === item.id
}

const change = {
  ...cost,
  ...shown,
  quantity: v.optional(amount),
  tax_rates: v.optional(clearable(v.array(text))),
}

const changeSchema = v.strictObject(change)

/** The item's cost after the change. An item with an `amount` ignores its quantity. */
function costAfterChange({ amount, pricing, quantity }: InvoiceItem, change: v.InferOutput<typeof changeSchema>) {
  const { amount: wanted, price_data, pricing: price, unit_amount_decimal: each } = change
  if ([wanted, price_data, price, each].some((given) => given !== undefined)) {
    return { amount: wanted, price_data, pricing: price, unit_amount_decimal: each }
  }
  if (pricing !== null) return { pricing: { price: pricing.price_details.price } }
  return change.quantity === undefined ? { amount } : { unit_amount_decimal: amount / quantity }
}

function update(ctx: Context, params: v.InferOutput<typeof changeSchema>, id: string): InvoiceItem {
  const before = getObject(ctx, 'invoiceitem', id)
  const invoice = before.invoice === null ? null : requireDraft(ctx, before.invoice)
  const { name: _name, ...price } = resolveCost(ctx, {
    ...costAfterChange(before, params),
    currency: before.currency,
    quantity: params.quantity ?? before.quantity,
  })
  const item = saveObject(ctx.store, {
    ...before,
    ...price,
    description: params.description ?? before.description,
    discountable: params.discountable ?? before.discountable,
    period: params.period ?? before.period,
    metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
    tax_rates: params.tax_rates === undefined ? before.tax_rates : taxRatesOf(ctx, params.tax_rates, 'tax_rates'),
  })
  if (invoice === null) return item
  const lines = invoice.lines.data.map((line) =>
    isLineOf(item, line) ? { ...itemLine(invoice, item), id: line.id } : line,
  )
  saveInvoice(ctx, withLines(invoice, lines))
  return item
}

function remove(ctx: Context, id: string): object {
  const item = getObject(ctx, 'invoiceitem', id)
  const invoice = item.invoice === null ? null : requireDraft(ctx, item.invoice)
  if (invoice !== null) {
    const lines = invoice.lines.data.filter((line) => !isLineOf(item, line))
    saveInvoice(ctx, withLines(invoice, lines))
  }
  emitEvent(ctx, 'invoiceitem.deleted', item)
  return markDeleted(ctx.store, 'invoiceitem', id)
}

const listParams = {
  ...paging,
  created: v.optional(range),
  customer: v.optional(text),
  invoice: v.optional(text),
  pending: v.optional(flag),
}

export const invoiceItemRoutes: Route[] = [
  route('POST /v1/invoiceitems', creation, create),
  route('POST /v1/invoiceitems/:id', change, update),
  route('DELETE /v1/invoiceitems/:id', {}, (ctx, _params, id) => remove(ctx, id)),
  route('GET /v1/invoiceitems/:id', {}, (ctx, _params, id) => getObject(ctx, 'invoiceitem', id)),
  route('GET /v1/invoiceitems', listParams, (ctx, params) => {
    const invoice = params.pending === true ? null : params.invoice
    const filters = { date: params.created, customer: params.customer, invoice }
    return listPage(ctx, { kind: 'invoiceitem', url: '/v1/invoiceitems', filters, paging: params })
  }),
]
