import * as v from 'valibot'
import { atPresentBalance } from '#api/sandbox/billing/balances.ts'
import { finalizeAndCollect, payInvoice, paymentMethodOf } from '#api/sandbox/billing/invoice-collection.ts'
import { draftInvoice, subscriptionIdOf, subscriptionParent } from '#api/sandbox/billing/invoice-draft.ts'
import { takePendingItems, withDefaultRates, withLines } from '#api/sandbox/billing/invoice-lines.ts'
import {
  finalizeInvoice,
  insertDraft,
  markPaid,
  markUncollectible,
  saveInvoice,
  voidInvoice,
} from '#api/sandbox/billing/invoices.ts'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { requireAttachedMethod, requireUsableMethod } from '#api/sandbox/billing/payment-methods.ts'
import { taxRatesOf } from '#api/sandbox/billing/subscription-draft.ts'
import { onInvoiceClosed, onInvoicePaid } from '#api/sandbox/billing/subscription-state.ts'
import { type ErrorBody, invalid } from '#api/sandbox/errors.ts'
import type { Invoice } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { allObjects, listPage, pageOfLines } from '#api/sandbox/store/lists.ts'
import type { PaymentIntent } from '#api/sandbox/store/payment-objects.ts'
import { presentObject } from '#api/sandbox/store/present.ts'
import { markDeleted } from '#api/sandbox/store/store.ts'
import { setTimers } from '#api/sandbox/store/timers.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'
import {
  type Change,
  type Creation,
  change as changeParams,
  creation,
  dueDate,
  type Payment,
  payment,
} from './invoice-params.ts'
import { linesOfPreview } from './invoice-preview.ts'
import { flag, paging, range, text } from './params.ts'
import { committedError, type Route, route } from './route.ts'

function paymentError(ctx: Context, intent: PaymentIntent) {
  const payment_intent = presentObject(ctx.store, intent, [])
  const failure = intent.last_payment_error
  const error: ErrorBody =
    failure === null
      ? {
          type: 'card_error',
          code: 'invoice_payment_intent_requires_action',
          message: 'This payment requires additional user action before it can be completed successfully.',
          payment_intent,
        }
      : { ...failure, type: 'card_error', payment_intent }
  return committedError(402, error)
}

function pay(ctx: Context, params: Payment, id: string) {
  const found = getObject(ctx, 'invoice', id)
  if (found.status === 'paid') throw invalid('Invoice is already paid')
  if (found.status === 'void') throw invalid('You can only pay an open invoice. This invoice is void.')
  const invoice =
    found.status === 'draft' ? finalizeInvoice(ctx, found, paymentMethodOf(ctx, found)?.id ?? null) : found
  if (invoice.status === 'paid' || params.paid_out_of_band) {
    const paid = invoice.status === 'paid' ? invoice : markPaid(ctx, invoice, true)
    onInvoicePaid(ctx, paid, null)
    return getObject(ctx, 'invoice', id)
  }
  const wanted = params.payment_method
  const method =
    wanted === undefined ? paymentMethodOf(ctx, invoice) : requireUsableMethod(ctx, wanted, invoice.customer)
  if (method === null) {
    throw invalid(
      'There is no `default_payment_method` set on this Customer or Invoice. Please set one or pass payment_method.',
      {
        param: 'payment_method',
      },
    )
  }
  const intent = payInvoice(ctx, invoice, method, params.off_session ?? false)
  return intent.status === 'succeeded' ? getObject(ctx, 'invoice', id) : paymentError(ctx, intent)
}

function remove(ctx: Context, id: string): object {
  const invoice = getObject(ctx, 'invoice', id)
  if (invoice.status !== 'draft') throw invalid('You can only delete draft invoices. Void this invoice instead.')
  if (subscriptionIdOf(invoice) !== null) {
    throw invalid('You cannot delete an invoice that belongs to a subscription. Finalize it and void it instead.')
  }
  setTimers(ctx.store, id, [])
  emitEvent(ctx, 'invoice.deleted', invoice)
  return markDeleted(ctx.store, 'invoice', id)
}

function printedFields({
  custom_fields,
  effective_at,
  footer,
  number,
  statement_descriptor,
}: Change): Partial<Invoice> {
  return {
    ...(custom_fields === undefined ? {} : { custom_fields }),
    ...(effective_at === undefined ? {} : { effective_at }),
    ...(footer === undefined ? {} : { footer }),
    ...(number === undefined ? {} : { number }),
    ...(statement_descriptor === undefined ? {} : { statement_descriptor }),
  }
}

function create(ctx: Context, params: Creation): Invoice {
  const customer = getObject(ctx, 'customer', params.customer, 'customer')
  const subscription =
    params.subscription === undefined ? null : getObject(ctx, 'subscription', params.subscription, 'subscription')
  const draft = draftInvoice(ctx, customer.id, {
    ...printedFields(params),
    auto_advance: params.auto_advance ?? false,
    collection_method: params.collection_method,
    billing_reason: 'manual',
    currency: params.currency,
    default_payment_method: params.default_payment_method ?? null,
    default_tax_rates: taxRatesOf(ctx, params.default_tax_rates, 'default_tax_rates'),
    description: params.description ?? null,
    due_date: dueDate(ctx.now, params.collection_method === 'send_invoice', params),
    metadata: params.metadata ?? {},
    parent: subscription && subscriptionParent(subscription),
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: params.payment_settings?.payment_method_types ?? null,
    },
    period_start: ctx.now,
    period_end: ctx.now,
  })
  const takes = params.pending_invoice_items_behavior === 'include'
  return insertDraft(ctx, takes ? withLines(draft, takePendingItems(ctx, draft)) : draft)
}

function assertChangeAllowed(ctx: Context, invoice: Invoice, params: Change): void {
  const { auto_advance: _a, default_payment_method: method, metadata: _m, ...rest } = params
  if (typeof method === 'string') requireAttachedMethod(ctx, method, invoice.customer, 'default_payment_method')
  if (invoice.status === 'draft' || Object.values(rest).every((value) => value === undefined)) return
  throw invalid("Finalized invoices can't be updated in this way", { code: 'invoice_not_editable' })
}

function finalize(ctx: Context, id: string, advance: boolean | undefined): Invoice {
  const draft = getObject(ctx, 'invoice', id)
  const ready = { ...draft, auto_advance: advance ?? draft.auto_advance }
  const isCharged = ready.collection_method === 'charge_automatically'
  if (ready.auto_advance && isCharged && draft.status === 'draft') finalizeAndCollect(ctx, ready)
  else {
    const open = finalizeInvoice(ctx, ready, paymentMethodOf(ctx, draft)?.id ?? null)
    if (open.status === 'paid') onInvoicePaid(ctx, open, null)
  }
  return getObject(ctx, 'invoice', id)
}

/** Sends no email: it opens the invoice and emits the event. */
function send(ctx: Context, id: string): Invoice {
  const found = getObject(ctx, 'invoice', id)
  if (found.collection_method !== 'send_invoice') {
    throw invalid('You can only send an invoice that has `collection_method=send_invoice`.')
  }
  const invoice = found.status === 'draft' ? finalize(ctx, id, undefined) : found
  emitEvent(ctx, 'invoice.sent', invoice)
  return invoice
}

/** Items with their own tax rates keep them. */
function changeDefaultRates(ctx: Context, invoice: Invoice, rates: string[] | null): Invoice {
  const items = allObjects(ctx, 'invoiceitem', { invoice: invoice.id }).filter((item) => item.tax_rates.length === 0)
  return withDefaultRates(invoice, taxRatesOf(ctx, rates, 'default_tax_rates'), items)
}

function change(ctx: Context, params: Change, id: string): Invoice {
  const before = getObject(ctx, 'invoice', id)
  assertChangeAllowed(ctx, before, params)
  const { default_payment_method: method, default_tax_rates: rates, description } = params
  const isSent = before.collection_method === 'send_invoice'
  const isDated = params.days_until_due !== undefined || params.due_date !== undefined
  const changed: Invoice = {
    ...before,
    ...printedFields(params),
    auto_advance: params.auto_advance ?? before.auto_advance,
    default_payment_method: method === undefined ? before.default_payment_method : method,
    description: description === undefined ? before.description : description,
    due_date: isDated ? dueDate(ctx.now, isSent, params) : before.due_date,
    metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
  }
  const after = saveInvoice(ctx, rates === undefined ? changed : changeDefaultRates(ctx, changed, rates))
  emitChange(ctx, 'invoice.updated', before, after)
  return after
}

function closeInvoice(ctx: Context, closed: Invoice): Invoice {
  onInvoiceClosed(ctx, closed)
  return getObject(ctx, 'invoice', closed.id)
}

export const invoiceRoutes: Route[] = [
  route('POST /v1/invoices', creation, create),
  route('GET /v1/invoices/:id', {}, (ctx, _params, id) => atPresentBalance(ctx, getObject(ctx, 'invoice', id))),
  route('POST /v1/invoices/:id', changeParams, change),
  route('DELETE /v1/invoices/:id', {}, (ctx, _params, id) => remove(ctx, id)),
  route('POST /v1/invoices/:id/finalize', { auto_advance: v.optional(flag) }, (ctx, params, id) =>
    finalize(ctx, id, params.auto_advance),
  ),
  route('POST /v1/invoices/:id/pay', payment, pay),
  route('POST /v1/invoices/:id/send', {}, (ctx, _params, id) => send(ctx, id)),
  route('POST /v1/invoices/:id/void', {}, (ctx, _params, id) =>
    closeInvoice(ctx, voidInvoice(ctx, getObject(ctx, 'invoice', id))),
  ),
  route('POST /v1/invoices/:id/mark_uncollectible', {}, (ctx, _params, id) =>
    closeInvoice(ctx, markUncollectible(ctx, getObject(ctx, 'invoice', id))),
  ),
  route('GET /v1/invoices/:id/lines', paging, (ctx, params, id) =>
    pageOfLines(linesOfPreview(ctx, id) ?? getObject(ctx, 'invoice', id).lines, params),
  ),
  route(
    'GET /v1/invoices',
    {
      ...paging,
      created: v.optional(range),
      collection_method: v.optional(text),
      customer: v.optional(text),
      due_date: v.optional(range),
      status: v.optional(v.picklist(['draft', 'open', 'paid', 'uncollectible', 'void'])),
      subscription: v.optional(text),
    },
    (ctx, params) => {
      const { collection_method, created, customer, due_date, status, subscription } = params
      const test_clock = customer === undefined && subscription === undefined ? null : undefined
      const filters = { collection_method, created, customer, due_date, status, subscription, test_clock }
      const page = listPage(ctx, { kind: 'invoice', url: '/v1/invoices', filters, paging: params })
      return { ...page, data: page.data.map((invoice) => atPresentBalance(ctx, invoice)) }
    },
  ),
]
