import * as v from 'valibot'
import { moveBalance } from '#api/sandbox/billing/balances.ts'
import { refundCharge } from '#api/sandbox/billing/charges.ts'
import { customLine, lineOfInvoice, lineOfTotal } from '#api/sandbox/billing/credit-note-lines.ts'
import { markPaid, saveInvoice } from '#api/sandbox/billing/invoices.ts'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { cancelPaymentIntent } from '#api/sandbox/billing/payment-intents.ts'
import { onInvoicePaid } from '#api/sandbox/billing/subscription-state.ts'
import { exclusivePart, inclusivePart, sumTaxes } from '#api/sandbox/billing/tax.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { CreditNote, CreditNoteLine, Invoice } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { allObjects, listPage, pageOfLines } from '#api/sandbox/store/lists.ts'
import { insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'
import { amount, clearable, metadata, paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'

const creation = {
  invoice: text,
  amount: v.optional(v.pipe(amount, v.minValue(1))),
  credit_amount: v.optional(amount),
  email_type: v.optional(v.picklist(['credit_note', 'none'])),
  lines: v.optional(
    v.array(
      v.variant('type', [
        v.strictObject({
          type: v.literal('invoice_line_item'),
          invoice_line_item: text,
          amount: v.optional(amount),
          quantity: v.optional(amount),
        }),
        v.strictObject({
          type: v.literal('custom_line_item'),
          description: text,
          quantity: v.optional(amount, '1'),
          tax_rates: v.optional(clearable(v.array(text))),
          unit_amount: amount,
        }),
      ]),
    ),
  ),
  memo: v.optional(text),
  metadata,
  out_of_band_amount: v.optional(amount),
  reason: v.optional(v.picklist(['duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory'])),
  refund_amount: v.optional(amount),
  refunds: v.optional(v.array(v.strictObject({ refund: text, amount_refunded: v.optional(amount) }))),
}

const creationSchema = v.strictObject(creation)
type Creation = v.InferOutput<typeof creationSchema>

function linesOf(ctx: Context, invoice: Invoice, params: Creation): CreditNoteLine[] {
  if (params.lines !== undefined) {
    return params.lines.map((line) =>
      line.type === 'custom_line_item' ? customLine(ctx, line) : lineOfInvoice(ctx, invoice, line),
    )
  }
  if (params.amount !== undefined) return [lineOfTotal(invoice, params.amount)]
  throw invalid('You must specify one of: amount, lines.')
}

function totalOf(lines: CreditNoteLine[]): number {
  return lines.reduce((sum, line) => sum + line.amount - line.discount_amount + exclusivePart(line.taxes), 0)
}

function refundsOf(ctx: Context, invoice: Invoice, params: Creation): CreditNote['refunds'] {
  const named = (params.refunds ?? []).map(({ refund, amount_refunded }, index) => {
    const found = getObject(ctx, 'refund', refund, `refunds[${index}][refund]`)
    if (found.payment_intent !== invoice.hidden.paymentIntent) {
      throw invalid(`The refund ${refund} is not for a payment of this invoice.`, {
        param: `refunds[${index}][refund]`,
      })
    }
    return { amount_refunded: amount_refunded ?? found.amount, refund, payment_record_refund: null, type: 'refund' }
  })
  if (params.refund_amount === undefined || params.refund_amount === 0) return named
  const intent = invoice.hidden.paymentIntent ?? ''
  const [charge] = allObjects(ctx, 'charge', { payment_intent: intent, status: 'succeeded' })
  if (charge === undefined) throw invalid('This invoice has no charge to refund.', { param: 'refund_amount' })
  const refund = refundCharge(ctx, charge, { amount: params.refund_amount, reason: null, metadata: {} })
  return [...named, { amount_refunded: refund.amount, refund: refund.id, payment_record_refund: null, type: 'refund' }]
}

function assertCovered(params: Creation, refunds: CreditNote['refunds'], total: number): void {
  const given =
    refunds.reduce((sum, refund) => sum + refund.amount_refunded, 0) +
    (params.out_of_band_amount ?? 0) +
    (params.credit_amount ?? 0)
  if (given === total) return
  throw invalid(
    `The sum of refund, credit and out of band amounts (${given}) must equal the credit note amount (${total}).`,
  )
}

function reduceDue(ctx: Context, invoice: Invoice, total: number): void {
  const reduced = saveInvoice(ctx, {
    ...invoice,
    amount_due: invoice.amount_due - total,
    amount_remaining: invoice.amount_remaining - total,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount + total,
  })
  const intent = getObject(ctx, 'payment_intent', invoice.hidden.paymentIntent ?? '')
  if (reduced.amount_due > 0) saveObject(ctx.store, { ...intent, amount: reduced.amount_due })
  else {
    cancelPaymentIntent(ctx, intent, 'void_invoice')
    onInvoicePaid(ctx, markPaid(ctx, reduced), null)
  }
}

function sumsOf(lines: CreditNoteLine[], total: number) {
  const taxes = lines.flatMap((line) => line.taxes)
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0)
  return {
    amount: total,
    subtotal,
    subtotal_excluding_tax: subtotal - inclusivePart(taxes),
    total,
    total_excluding_tax: total - taxes.reduce((sum, tax) => sum + tax.amount, 0),
    total_taxes: sumTaxes(taxes),
  }
}

function noteNumber(ctx: Context, invoice: Invoice): string {
  const earlier = allObjects(ctx, 'credit_note', { invoice: invoice.id }).length
  return `${invoice.number ?? 'draft'}-CN-${String(earlier + 1).padStart(2, '0')}`
}

/** What a note takes off what's still to pay, and the rest, which was paid before. */
function splitOf(invoice: Invoice, total: number): { before: number; after: number } {
  const before = invoice.status === 'paid' ? 0 : Math.min(total, invoice.amount_remaining)
  return { before, after: total - before }
}

function settleCredit(ctx: Context, invoice: Invoice, params: Creation, total: number): CreditNote['refunds'] {
  const { before, after } = splitOf(invoice, total)
  const refunds = after > 0 ? refundsOf(ctx, invoice, params) : []
  if (after > 0) assertCovered(params, refunds, after)
  const credited = saveInvoice(ctx, {
    ...invoice,
    post_payment_credit_notes_amount: invoice.post_payment_credit_notes_amount + after,
  })
  if (before > 0) reduceDue(ctx, credited, before)
  return refunds
}

function requireCreditableInvoice(ctx: Context, id: string): Invoice {
  const invoice = getObject(ctx, 'invoice', id, 'invoice')
  if (invoice.status === 'open' || invoice.status === 'paid') return invoice
  throw invalid(`You can only create credit notes for open or paid invoices. This invoice is ${invoice.status}.`)
}

function assertWithinInvoice(invoice: Invoice, total: number): void {
  const whole = invoice.total - invoice.pre_payment_credit_notes_amount
  const rest = whole - invoice.post_payment_credit_notes_amount
  if (total > rest) throw invalid(`The credit note (${total}) exceeds what is left of the invoice (${rest}).`)
}

function invoiceFields(ctx: Context, invoice: Invoice, total: number) {
  const { before, after } = splitOf(invoice, total)
  return {
    currency: invoice.currency,
    customer: invoice.customer,
    invoice: invoice.id,
    number: noteNumber(ctx, invoice),
    post_payment_amount: after,
    pre_payment_amount: before,
    type: before === 0 ? 'post_payment' : after === 0 ? 'pre_payment' : 'mixed',
  }
}

/** Adds to the customer's balance what the note credits to it, and returns that transaction's id. */
function creditBalance(
  ctx: Context,
  { customer, id: invoice }: Invoice,
  { id, credit }: { id: string; credit: number },
): string | null {
  if (credit === 0) return null
  return moveBalance(ctx, customer, { amount: 0 - credit, type: 'credit_note', credit_note: id, invoice }).id
}

function create(ctx: Context, params: Creation): CreditNote {
  const invoice = requireCreditableInvoice(ctx, params.invoice)
  const lines = linesOf(ctx, invoice, params)
  const total = totalOf(lines)
  assertWithinInvoice(invoice, total)
  const refunds = settleCredit(ctx, invoice, params, total)
  const id = newId('cn')
  const note = insertObject(ctx.store, {
    id,
    object: 'credit_note',
    ...sumsOf(lines, total),
    ...invoiceFields(ctx, invoice, total),
    amount_shipping: 0,
    created: ctx.now,
    customer_account: null,
    customer_balance_transaction: creditBalance(ctx, invoice, { id, credit: params.credit_amount ?? 0 }),
    discount_amount: lines.reduce((sum, line) => sum + line.discount_amount, 0),
    discount_amounts: lines.flatMap((line) => line.discount_amounts),
    effective_at: ctx.now,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/credit_notes/${id}/lines` },
    livemode: false,
    memo: params.memo ?? null,
    metadata: params.metadata ?? {},
    out_of_band_amount: params.out_of_band_amount ?? null,
    pdf: `${ctx.pagesUrl}/credit_note/${id}/pdf`,
    pretax_credit_amounts: [],
    reason: params.reason ?? null,
    refunds,
    shipping_cost: null,
    status: 'issued',
    voided_at: null,
  })
  emitEvent(ctx, 'credit_note.created', note)
  return note
}

function voidNote(ctx: Context, id: string): CreditNote {
  const note = getObject(ctx, 'credit_note', id)
  const invoice = getObject(ctx, 'invoice', note.invoice)
  if (note.status === 'void') throw invalid('This credit note is already void.')
  if (invoice.status !== 'open') {
    throw invalid(`You can only void credit notes of open invoices. This invoice is ${invoice.status}.`)
  }
  const restored = saveInvoice(ctx, {
    ...invoice,
    amount_due: invoice.amount_due + note.pre_payment_amount,
    amount_remaining: invoice.amount_remaining + note.pre_payment_amount,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount - note.pre_payment_amount,
  })
  const intent = getObject(ctx, 'payment_intent', invoice.hidden.paymentIntent ?? '')
  saveObject(ctx.store, { ...intent, amount: restored.amount_due })
  const voided = saveObject(ctx.store, { ...note, status: 'void', voided_at: ctx.now })
  emitEvent(ctx, 'credit_note.voided', voided)
  return voided
}

export const creditNoteRoutes: Route[] = [
  route('POST /v1/credit_notes', creation, create),
  route('POST /v1/credit_notes/:id', { memo: v.optional(text), metadata }, (ctx, params, id) => {
    const before = getObject(ctx, 'credit_note', id)
    const after = saveObject(ctx.store, {
      ...before,
      memo: params.memo ?? before.memo,
      metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
    })
    emitChange(ctx, 'credit_note.updated', before, after)
    return after
  }),
  route('POST /v1/credit_notes/:id/void', {}, (ctx, _params, id) => voidNote(ctx, id)),
  route('GET /v1/credit_notes/:id/lines', paging, (ctx, params, id) =>
    pageOfLines(getObject(ctx, 'credit_note', id).lines, params),
  ),
  route('GET /v1/credit_notes/:id', {}, (ctx, _params, id) => getObject(ctx, 'credit_note', id)),
  route(
    'GET /v1/credit_notes',
    { ...paging, created: v.optional(range), customer: v.optional(text), invoice: v.optional(text) },
    (ctx, params) => {
      const { created, customer, invoice } = params
      const filters = { created, customer, invoice }
      return listPage(ctx, { kind: 'credit_note', url: '/v1/credit_notes', filters, paging: params })
    },
  ),
]
