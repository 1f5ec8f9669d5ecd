import type Stripe from 'stripe'
import type { InvoiceLine, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { vatWithin } from '#shared/rules/charge.ts'
import { vatRate } from '#shared/rules/money.ts'
import type { Adoption, Adoptions } from './adoption-facts.ts'
import type { HasStripe } from './client.ts'
import { idOf, toInstant, toInstantOrNull } from './ids-and-times.ts'
import { tierOfPrice } from './prices.ts'

export type InvoiceState = Omit<typeof providerInvoices.$inferSelect, 'customerId'>
type RefundState = Omit<typeof providerRefunds.$inferSelect, 'customerId' | 'failedAt'>
/** A payment the bank disputed, whatever the outcome. `amount` is what was paid. */
export type DisputeState = { charge: string; invoice: string; amount: number }
type ChargedState = { refunds: RefundState[]; disputes: DisputeState[] }
export type BilledState = ChargedState & { invoices: InvoiceState[] }

/** Which subscriptions of a customer are ours, and which of those we adopted. */
type OfCustomer = { adoptions: Adoptions; isOurs(subscriptionId: string): boolean }

/**
 * A customer's invoices in pounds, with their refunds and disputes. Amounts here are pence, so other currencies are left out, and
 * their subscription is reported as unrecognised.
 */
export async function readInvoices(ctx: HasStripe, customer: string, own: OfCustomer): Promise<BilledState> {
  const listed = await ctx.stripe.invoices
    .list({ customer, limit: 100, expand: ['data.payments'] })
    .autoPagingToArray({ limit: 10_000 })
  const billed = listed.filter((invoice) => invoice.currency === 'gbp' && isInvoiceOfOurs(invoice, own))
  const isPaid = billed.some(({ amount_paid: paid }) => paid > 0)
  const { refunds, disputes } = isPaid ? await readCharges(ctx, customer, billed) : { refunds: [], disputes: [] }
  const invoices = await Promise.all(
    billed.map((invoice) =>
      toInvoice(ctx, invoice, { refunds, adoption: own.adoptions.get(subscriptionOf(invoice) ?? '') }),
    ),
  )
  return { invoices: invoices.filter((invoice) => invoice !== null), refunds, disputes }
}

const subscriptionOf = ({ parent }: Stripe.Invoice) => idOf(parent?.subscription_details?.subscription)

/** What an adopted customer paid another program for, or what they still buy there, is none of ours. */
function isInvoiceOfOurs(invoice: Stripe.Invoice, { adoptions, isOurs }: OfCustomer): boolean {
  if (adoptions.size === 0) return true
  const subscription = subscriptionOf(invoice)
  if (subscription !== null) return isOurs(subscription)
  const since = [...adoptions.values()].map(({ adoptedAt }) => adoptedAt).sort()[0] ?? ''
  return invoice.metadata?.quotientOrder !== undefined || toInstant(invoice.created) >= since
}

async function readCharges(ctx: HasStripe, customer: string, billed: Stripe.Invoice[]): Promise<ChargedState> {
  const charges = await ctx.stripe.charges
    .list({ customer, limit: 100, expand: ['data.refunds'] })
    .autoPagingToArray({ limit: 10_000 })
  const invoiceByIntent = new Map(billed.flatMap(paymentsOf))
  const ofInvoices = charges.flatMap((charge) => {
    const invoice = invoiceByIntent.get(idOf(charge.payment_intent) ?? '')
    return invoice === undefined ? [] : [{ charge, invoice }]
  })
  const refundsByCharge = ofInvoices.map(async ({ charge, invoice }) =>
    (await listRefundsOfCharge(ctx, charge)).map((refund) => toRefund(refund, invoice)),
  )
  const disputes = ofInvoices
    .filter(({ charge }) => charge.disputed)
    .map(({ charge: { id, amount }, invoice }) => ({ charge: id, invoice, amount }))
  return { refunds: (await Promise.all(refundsByCharge)).flat(), disputes }
}

/** Stripe only includes the first few entries of a nested list. */
async function listRefundsOfCharge(ctx: HasStripe, { id, refunds }: Stripe.Charge): Promise<Stripe.Refund[]> {
  if (refunds?.has_more !== true) return refunds?.data ?? []
  return ctx.stripe.refunds.list({ charge: id, limit: 100 }).autoPagingToArray({ limit: 10_000 })
}

async function listLines(ctx: HasStripe, { id, lines }: Stripe.Invoice): Promise<Stripe.InvoiceLineItem[]> {
  if (!lines.has_more || id === undefined) return lines.data
  return ctx.stripe.invoices.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 10_000 })
}

const paymentsOf = ({ id, payments }: Stripe.Invoice): [string, string][] =>
  (payments?.data ?? []).flatMap(({ payment }) => {
    const intent = idOf(payment.payment_intent)
    return intent === null || id === undefined ? [] : [[intent, id]]
  })

const refundStatusOf = (status: string | null): RefundState['status'] =>
  status === 'pending' || status === 'requires_action' || status === 'failed' || status === 'canceled'
    ? status
    : 'succeeded'

const toRefund = (refund: Stripe.Refund, providerInvoiceId: string): RefundState => ({
  id: refund.id,
  providerInvoiceId,
  amount: refund.amount,
  status: refundStatusOf(refund.status),
  reason: refund.reason,
  created: toInstant(refund.created),
})

async function toInvoice(
  ctx: HasStripe,
  invoice: Stripe.Invoice,
  { refunds, adoption }: { refunds: readonly RefundState[]; adoption: Adoption | undefined },
): Promise<InvoiceState | null> {
  const status = (['draft', 'open', 'paid', 'void', 'uncollectible'] as const).find((known) => known === invoice.status)
  if (invoice.id === undefined || status === undefined) return null
  const lines = await listLines(ctx, invoice)
  const line = lines.find(isPeriod) ?? lines.find(isChargeForRest) ?? lines[0]
  const isGross = adoption !== undefined && !lines.some(hasTaxOnTop)
  const linesOfOurs = await Promise.all(lines.map((one) => toLine(ctx, one, { isGross, adoption })))
  const net = isGross ? netWithin(invoice.total, linesOfOurs) : (invoice.total_excluding_tax ?? invoice.total)
  const paidAt = toInstantOrNull(invoice.status_transitions.paid_at)
  return {
    id: invoice.id,
    subscriptionId: subscriptionOf(invoice),
    status,
    billingReason: invoice.billing_reason,
    lines: linesOfOurs,
    quotientOrderId: invoice.metadata?.quotientOrder ?? null,
    isHistory:
      adoption !== undefined && status === 'paid' && (paidAt ?? toInstant(invoice.created)) < adoption.adoptedAt,
    isUpgrade: lines.some(isProration) && !lines.some(isPeriod),
    freeMonthNet: freeMonthNetOf(invoice, linesOfOurs),
    attempts: invoice.attempt_count,
    nextAttemptAt: toInstantOrNull(invoice.next_payment_attempt),
    tierSlug: line === undefined ? null : await tierOfLine(ctx, line, adoption),
    net,
    vat: invoice.total - net,
    total: invoice.total,
    amountPaid: invoice.amount_paid,
    amountRefunded: refundedOf(refunds, invoice.id),
    hostedInvoiceUrl: invoice.hosted_invoice_url ?? null,
    periodStart: toInstantOrNull(line?.period.start),
    periodEnd: toInstantOrNull(line?.period.end),
    created: toInstant(invoice.created),
    paidAt,
  }
}

const hasTaxOnTop = ({ taxes }: Stripe.InvoiceLineItem) =>
  (taxes ?? []).some(({ amount, tax_behavior }) => amount !== 0 && tax_behavior === 'exclusive')

/** The lines' sum if they are all that was charged, else a sixth off the whole. */
function netWithin(total: number, lines: readonly InvoiceLine[]): number {
  const isWhole = lines.reduce((sum, { net, vat }) => sum + net + vat, 0) === total
  return isWhole ? lines.reduce((sum, { net }) => sum + net, 0) : total - vatWithin(Math.max(0, total))
}

/**
 * The normal price of a renewal that discounts made free. Null for any other invoice, including a trial's (it starts the
 * subscription and its period has no price) and a first payment.
 */
function freeMonthNetOf(invoice: Stripe.Invoice, lines: readonly InvoiceLine[]): number | null {
  if (invoice.billing_reason !== 'subscription_cycle' || invoice.total !== 0) return null
  const month = lines.filter((line) => line.isPeriod === true)
  const full = month.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0)
  return full > 0 && month.every(({ net }) => net === 0) ? full : null
}

const refundedOf = (refunds: readonly RefundState[], invoiceId: string) =>
  refunds
    .filter(({ providerInvoiceId, status }) => providerInvoiceId === invoiceId && status === 'succeeded')
    .reduce((sum, { amount }) => sum + amount, 0)

/** Whether a line is for the subscription's own period. Charges waiting for the invoice come before it. */
const isPeriod = ({ parent }: Stripe.InvoiceLineItem) => parent?.subscription_item_details?.proration === false

/** Stripe marks the proration on whichever object made the line. */
const isProration = ({ parent }: Stripe.InvoiceLineItem) =>
  parent?.subscription_item_details?.proration === true || parent?.invoice_item_details?.proration === true

/** An upgrade's tier is the one charged, not the one credited. */
const isChargeForRest = (line: Stripe.InvoiceLineItem) => isProration(line) && line.amount > 0

type Reading = { isGross: boolean; adoption: Adoption | undefined }

/** Discounts reduce the line's amounts. Its unit price stays the same. */
async function toLine(
  ctx: HasStripe,
  line: Stripe.InvoiceLineItem,
  { isGross, adoption }: Reading,
): Promise<InvoiceLine> {
  const discount = (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const quantity = line.quantity ?? 1
  const unitPrice = Math.round((line.amount - (isGross ? within(line.amount) : 0)) / Math.max(1, quantity))
  return {
    description: line.description ?? '',
    quantity,
    unitPrice,
    ...amountsOf(line, line.amount - discount, isGross),
    ...(isPeriod(line) ? { isPeriod: true } : {}),
    ...(isProration(line) ? { isProration: true, ...(await tierOfProration(ctx, line, adoption)) } : {}),
  }
}

function amountsOf({ taxes }: Stripe.InvoiceLineItem, charged: number, isGross: boolean) {
  if (isGross) return { net: charged - within(charged), rate: vatRate, vat: within(charged) }
  const vat = (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)
  return { net: charged, rate: (taxes ?? []).length > 0 ? vatRate : 0, vat }
}

/** VAT inside a charge, or inside a credit. */
const within = (amount: number) => (amount < 0 ? 0 - vatWithin(0 - amount) : vatWithin(amount))

async function tierOfProration(
  ctx: HasStripe,
  line: Stripe.InvoiceLineItem,
  adoption: Adoption | undefined,
): Promise<Pick<InvoiceLine, 'tierSlug'>> {
  const tierSlug = await tierOfLine(ctx, line, adoption)
  return tierSlug === null ? {} : { tierSlug }
}

/** An adopted subscription's foreign prices are for the tier an owner named. */
async function tierOfLine(
  ctx: HasStripe,
  { pricing }: Stripe.InvoiceLineItem,
  adoption: Adoption | undefined,
): Promise<TierSlug | null> {
  const priceId = idOf(pricing?.price_details?.price)
  const own = priceId === null ? null : await tierOfPrice(ctx, priceId)
  return own ?? adoption?.tierSlug ?? null
}
