import { payInvoice } from '#api/sandbox/billing/invoice-collection.ts'
import { formatMoney } from '#api/sandbox/billing/invoice-lines.ts'
import { createMethod } from '#api/sandbox/billing/payment-methods.ts'
import { ApiError } from '#api/sandbox/errors.ts'
import { type FormValue, textField } from '#api/sandbox/resources/form.ts'
import type { Invoice } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import type { PaymentIntent } from '#api/sandbox/store/payment-objects.ts'
import { findObject, saveObject, transact } from '#api/sandbox/store/store.ts'
import { escapeHtml, formatDay, type Page, seeOther } from './layout.ts'

const notFound: Page = { title: 'Not found', body: '<p>There is no such invoice.</p>', status: 404 }

export function invoiceRows(invoice: Invoice): [label: string, amount: string][] {
  const amountOf = (pence: number) => formatMoney(pence, invoice.currency)
  const off = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const tax = invoice.total_taxes.reduce((sum, { amount }) => sum + amount, 0)
  return [
    ...invoice.lines.data.map((line): [string, string] => [line.description ?? '', amountOf(line.amount)]),
    ['Subtotal', amountOf(invoice.subtotal)],
    ...(off > 0 ? ([['Discount', `-${amountOf(off)}`]] satisfies [string, string][]) : []),
    ['Tax', amountOf(tax)],
    ['Total', amountOf(invoice.total)],
    ['Amount due', amountOf(invoice.status === 'paid' ? 0 : invoice.amount_remaining)],
  ]
}

export function statusText({ status, status_transitions: at }: Invoice): string {
  if (status === 'paid') return `Paid on ${formatDay(at.paid_at ?? 0)}`
  if (status === 'void') return 'Void: nothing is to be paid'
  return status === 'uncollectible' ? 'Written off, and still payable' : 'To be paid'
}

function table(invoice: Invoice): string {
  const rows = invoiceRows(invoice).map(
    ([label, amount]) => `<tr><td>${escapeHtml(label)}</td><td>${escapeHtml(amount)}</td></tr>`,
  )
  return `<table><thead><tr><th scope="col">Description</th><th scope="col">Amount</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function field(name: string, label: string, hints: string): string {
  return `<label>${label}<input name="${name}" ${hints} required></label>`
}

function cardForm(invoice: Invoice): string {
  const number = field('number', 'Card number', 'inputmode="numeric" autocomplete="cc-number" maxlength="23"')
  const expiry = field('expiry', 'Expiry (MM/YY)', 'inputmode="numeric" autocomplete="cc-exp" maxlength="7"')
  const code = field('cvc', 'Security code', 'inputmode="numeric" autocomplete="cc-csc" maxlength="4"')
  const button = `<button>Pay ${escapeHtml(formatMoney(invoice.amount_remaining, invoice.currency))}</button>`
  return `<h2>Pay by card</h2><form method="post" action="${invoice.id}">${number}${expiry}${code}${button}</form>`
}

function isPayable({ status }: Invoice): boolean {
  return status === 'open' || status === 'uncollectible'
}

function renderInvoice(ctx: Context, invoice: Invoice, problem: string | null): Page {
  const intent = findObject(ctx.store, 'payment_intent', invoice.hidden.paymentIntent ?? '')
  const message = isPayable(invoice) ? (problem ?? intent?.last_payment_error?.message ?? null) : null
  const alert = message === null ? '' : `<p role="alert">${escapeHtml(message)}</p>`
  const to = escapeHtml(invoice.customer_name ?? invoice.customer_email ?? '')
  const summary = `<p>Sandbox Ltd to ${to}, ${formatDay(invoice.effective_at ?? invoice.created)}. <strong>${statusText(invoice)}</strong></p>`
  const pdf = `<p><a href="${invoice.id}/pdf">Invoice as PDF</a></p>`
  const body = `${summary}${alert}${table(invoice)}${pdf}${isPayable(invoice) ? cardForm(invoice) : ''}`
  return { title: `Invoice ${invoice.number ?? ''}`, body }
}

/** Reads `MM/YY` or `MM/YYYY`. Anything else becomes month 0, which no card has. */
function expiryOf(text: string): { exp_month: number; exp_year: number } {
  const [, month = '0', year = '0'] = /^\s*(\d{1,2})\s*(?:\/\s*)?(\d{2}|\d{4})\s*$/.exec(text) ?? []
  return { exp_month: Number(month), exp_year: Number(year) }
}

function chargeInvoice(ctx: Context, invoice: Invoice, form: FormValue): PaymentIntent {
  const intent = getObject(ctx, 'payment_intent', invoice.hidden.paymentIntent ?? '')
  saveObject(ctx.store, { ...intent, hidden: { ...intent.hidden, returnUrl: invoice.hosted_invoice_url ?? null } })
  const card = {
    number: textField(form, 'number') ?? '',
    cvc: textField(form, 'cvc') ?? '',
    ...expiryOf(textField(form, 'expiry') ?? ''),
  }
  return payInvoice(ctx, invoice, createMethod(ctx, { card }), false)
}

function payByForm(ctx: Context, invoice: Invoice, form: FormValue): Page | Response {
  try {
    const tried = transact(ctx.store, () => chargeInvoice(ctx, invoice, form))
    const next = tried.next_action?.redirect_to_url.url
    if (next !== undefined) return seeOther(next)
    if (tried.status === 'succeeded') return seeOther(invoice.hosted_invoice_url ?? '')
    return renderInvoice(
      ctx,
      getObject(ctx, 'invoice', invoice.id),
      tried.last_payment_error?.message ?? 'The payment failed.',
    )
  } catch (error) {
    if (error instanceof ApiError) return renderInvoice(ctx, invoice, error.message)
    throw error
  }
}

/** `/invoice/{id}` shows the invoice and, while it's payable, a card form without scripts. */
export function invoicePage(ctx: Context, method: string, id: string, form: FormValue): Page | Response {
  const invoice = findObject(ctx.store, 'invoice', id)
  if (invoice === null || invoice.status === 'draft') return notFound
  if (method === 'POST' && isPayable(invoice)) return payByForm(ctx, invoice, form)
  return renderInvoice(ctx, invoice, null)
}
