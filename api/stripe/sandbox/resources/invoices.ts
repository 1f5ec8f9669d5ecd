import * as v from 'valibot'
import { finalizeAndCollect, methodOf, payInvoice } from '#api/stripe/sandbox/billing/collection.ts'
import { draftInvoice, subscriptionIdOf, subscriptionParent } from '#api/stripe/sandbox/billing/invoice-draft.ts'
import {
  finalizeInvoice,
  markPaid,
  markUncollectible,
  saveInvoice,
  storeDraft,
  voidInvoice,
} from '#api/stripe/sandbox/billing/invoice-life.ts'
import { withLines } from '#api/stripe/sandbox/billing/invoice-lines.ts'
import { attachedMethod, methodFor } from '#api/stripe/sandbox/billing/methods.ts'
import { takePendingItems } from '#api/stripe/sandbox/billing/pending-items.ts'
import { afterClosed, afterPaid } from '#api/stripe/sandbox/billing/reactions.ts'
import { taxRatesOf } from '#api/stripe/sandbox/billing/subscription-draft.ts'
import { type ErrorBody, invalid } from '#api/stripe/sandbox/http/errors.ts'
import { present } from '#api/stripe/sandbox/http/expand.ts'
import { linesPage, listPage } from '#api/stripe/sandbox/http/lists.ts'
import {
  clearable,
  clearableText,
  flag,
  ignored,
  mergeMetadata,
  metadata,
  paging,
  range,
  text,
} from '#api/stripe/sandbox/http/params.ts'
import { type Route, refuse, route } from '#api/stripe/sandbox/http/route.ts'
import type { Invoice } from '#api/stripe/sandbox/store/billing-objects.ts'
import { get } from '#api/stripe/sandbox/store/get.ts'
import type { PaymentIntent } from '#api/stripe/sandbox/store/payment-objects.ts'
import { markDeleted } from '#api/stripe/sandbox/store/store.ts'
import { setTimers } from '#api/stripe/sandbox/store/timers.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'
import { emit, emitChange } from '#api/stripe/sandbox/webhooks/emit.ts'

const payment = {
  off_session: v.optional(flag),
  paid_out_of_band: v.optional(flag, 'false'),
  payment_method: v.optional(text),
  mandate: ignored,
}

const paymentSchema = v.strictObject(payment)

function refusalOf(work: Work, intent: PaymentIntent) {
  const payment_intent = present(work.store, intent, [])
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
  return refuse(402, error)
}

function pay(work: Work, params: v.InferOutput<typeof paymentSchema>, id: string) {
  const found = get(work, 'invoice', id)
  if (found.status === 'paid') throw invalid('Invoice is already paid', { code: 'invoice_already_paid' })
  if (found.status === 'void') throw invalid('You can only pay an open invoice. This invoice is void.')
  const invoice = found.status === 'draft' ? finalizeInvoice(work, found, methodOf(work, found)?.id ?? null) : found
  if (invoice.status === 'paid' || params.paid_out_of_band) {
    const paid = invoice.status === 'paid' ? invoice : markPaid(work, invoice, true)
    afterPaid(work, paid, null)
    return get(work, 'invoice', id)
  }
  const wanted = params.payment_method
  const method = wanted === undefined ? methodOf(work, invoice) : methodFor(work, wanted, invoice.customer)
  if (method === null) {
    throw invalid(
      'There is no `default_payment_method` set on this Customer or Invoice. Please set one or pass payment_method.',
      {
        param: 'payment_method',
      },
    )
  }
  const intent = payInvoice(work, invoice, method, params.off_session ?? false)
  return intent.status === 'succeeded' ? get(work, 'invoice', id) : refusalOf(work, intent)
}

function remove(work: Work, id: string): object {
  const invoice = get(work, 'invoice', id)
  if (invoice.status !== 'draft') throw invalid('You can only delete draft invoices. Void this invoice instead.')
  if (subscriptionIdOf(invoice) !== null) {
    throw invalid('You cannot delete an invoice that belongs to a subscription. Finalize it and void it instead.')
  }
  setTimers(work.store, id, [])
  emit(work, 'invoice.deleted', invoice)
  return markDeleted(work.store, 'invoice', id)
}

const creation = {
  auto_advance: v.optional(flag, 'false'),
  collection_method: v.optional(v.literal('charge_automatically')),
  currency: v.optional(text, 'gbp'),
  customer: text,
  default_payment_method: v.optional(text),
  default_tax_rates: v.optional(v.array(text)),
  description: v.optional(text),
  footer: v.optional(text),
  metadata,
  payment_settings: v.optional(
    v.strictObject({ payment_method_types: v.optional(clearable(v.array(v.picklist(['card', 'paypal'])))) }),
  ),
  pending_invoice_items_behavior: v.optional(v.picklist(['exclude', 'include']), 'exclude'),
  subscription: v.optional(text),
}

const creationSchema = v.strictObject(creation)

function create(work: Work, params: v.InferOutput<typeof creationSchema>): Invoice {
  const customer = get(work, 'customer', params.customer, 'customer')
  const subscription =
    params.subscription === undefined ? null : get(work, 'subscription', params.subscription, 'subscription')
  const draft = draftInvoice(work, customer.id, {
    auto_advance: params.auto_advance,
    billing_reason: 'manual',
    currency: params.currency.toLowerCase(),
    default_payment_method: params.default_payment_method ?? null,
    default_tax_rates: taxRatesOf(work, params.default_tax_rates, 'default_tax_rates'),
    description: params.description ?? null,
    footer: params.footer ?? null,
    metadata: params.metadata ?? {},
    parent: subscription && subscriptionParent(subscription),
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: params.payment_settings?.payment_method_types ?? null,
    },
    period_start: work.now,
    period_end: work.now,
  })
  const takes = params.pending_invoice_items_behavior === 'include'
  return storeDraft(work, takes ? withLines(draft, takePendingItems(work, draft)) : draft)
}

const change = {
  auto_advance: v.optional(flag),
  default_payment_method: v.optional(clearableText),
  description: v.optional(clearableText),
  footer: v.optional(clearableText),
  metadata,
}

const changeSchema = v.strictObject(change)

/** What is printed on a finalized invoice stays. */
function checkChange(work: Work, invoice: Invoice, params: v.InferOutput<typeof changeSchema>): void {
  const { default_payment_method: method, description, footer } = params
  if (typeof method === 'string') attachedMethod(work, method, invoice.customer, 'default_payment_method')
  if (invoice.status === 'draft' || (description === undefined && footer === undefined)) return
  throw invalid("Finalized invoices can't be updated in this way", { code: 'invoice_not_editable' })
}

function finalize(work: Work, id: string, advance: boolean | undefined): Invoice {
  const draft = get(work, 'invoice', id)
  const ready = { ...draft, auto_advance: advance ?? draft.auto_advance }
  if (ready.auto_advance && draft.status === 'draft') finalizeAndCollect(work, ready)
  else {
    const open = finalizeInvoice(work, ready, methodOf(work, draft)?.id ?? null)
    if (open.status === 'paid') afterPaid(work, open, null)
  }
  return get(work, 'invoice', id)
}

function close(work: Work, closed: Invoice): Invoice {
  afterClosed(work, closed)
  return get(work, 'invoice', closed.id)
}

export const invoiceRoutes: Route[] = [
  route('POST /v1/invoices', creation, create),
  route('GET /v1/invoices/:id', {}, (work, _params, id) => get(work, 'invoice', id)),
  route('POST /v1/invoices/:id', change, (work, params, id) => {
    const before = get(work, 'invoice', id)
    checkChange(work, before, params)
    const after = saveInvoice(work, {
      ...before,
      auto_advance: params.auto_advance ?? before.auto_advance,
      default_payment_method:
        params.default_payment_method === undefined ? before.default_payment_method : params.default_payment_method,
      description: params.description === undefined ? before.description : params.description,
      footer: params.footer === undefined ? before.footer : params.footer,
      metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
    })
    emitChange(work, 'invoice.updated', before, after)
    return after
  }),
  route('DELETE /v1/invoices/:id', {}, (work, _params, id) => remove(work, id)),
  route('POST /v1/invoices/:id/finalize', { auto_advance: v.optional(flag) }, (work, params, id) =>
    finalize(work, id, params.auto_advance),
  ),
  route('POST /v1/invoices/:id/pay', payment, pay),
  route('POST /v1/invoices/:id/void', {}, (work, _params, id) =>
    close(work, voidInvoice(work, get(work, 'invoice', id))),
  ),
  route('POST /v1/invoices/:id/mark_uncollectible', {}, (work, _params, id) =>
    close(work, markUncollectible(work, get(work, 'invoice', id))),
  ),
  route('GET /v1/invoices/:id/lines', paging, (work, params, id) => linesPage(get(work, 'invoice', id).lines, params)),
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
    (work, params) => {
      const { collection_method, created, customer, due_date, status, subscription } = params
      const test_clock = customer === undefined && subscription === undefined ? null : undefined
      const filters = { collection_method, created, customer, due_date, status, subscription, test_clock }
      return listPage(work, { kind: 'invoice', url: '/v1/invoices', filters, paging: params })
    },
  ),
]
