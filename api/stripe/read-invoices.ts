import type Stripe from 'stripe'
import type { CreditedLine, InvoiceLine, providerInvoices } from '#api/db/schema/provider.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { vatWithin } from '#shared/rules/charge.ts'
import { reducedLines, type SetOff } from '#shared/rules/credit.ts'
import type { Adoptions } from './adoption-facts.ts'
import { carryTiers } from './carried-tiers.ts'
import type { HasStripe } from './client.ts'
import { idOf, toInstant, toInstantOrNull } from './ids-and-times.ts'
import { creditedLines, lessNamed, namedByCredit, namedByNote } from './named-lines.ts'
import { withAllPayments } from './payments.ts'
import { type CreditAnswers, type CreditState, type NotesOfInvoice, readCredits, readNotes } from './read-credits.ts'
import { isPeriod, isProration, type ReadLine, readLines } from './read-lines.ts'
import { type RefundState, refundedOtherwise, subscriptionOf } from './refunded.ts'

export type InvoiceState = Omit<typeof providerInvoices.$inferSelect, 'customerId' | 'waitsForFix'>
/** A payment the bank disputed, whatever the outcome. `amount` is what was paid. */
export type DisputeState = { charge: string; invoice: string; amount: number }
type ChargedState = { refunds: RefundState[]; disputes: DisputeState[]; methods: Map<string, Set<string>> }
export type BilledState = Omit<ChargedState, 'methods'> & { invoices: InvoiceState[]; credits: CreditState[] }
/** `tiers`: of subscriptions that a payment, or the membership before them, was for one. */
type ReadBilled = BilledState & { tiers: ReadonlyMap<string, TierSlug> }

/** Which subscriptions of a customer are ours, and which of those we adopted. */
type OfCustomer = {
  adoptions: Adoptions
  answers: CreditAnswers
  /** The customer's balance isn't 0 now, whether or not an invoice has met it. */
  hasBalance?: boolean
  subscriptions?: readonly Stripe.Subscription[]
  isOurs(subscriptionId: string): boolean
}

/**
 * A customer's invoices in pounds, with their refunds and disputes. Amounts here are pence, so other currencies are left out, and
 * their subscription is reported as unrecognised.
 */
export async function readInvoices(ctx: HasStripe, customer: string, own: OfCustomer): Promise<ReadBilled> {
  const listed = await ctx.stripe.invoices
    .list({ customer, limit: 100, expand: ['data.payments'] })
    .autoPagingToArray({ limit: 10_000 })
  const ours = listed.filter((invoice) => invoice.currency === 'gbp' && isInvoiceOfOurs(invoice, own))
  const billed = await Promise.all(ours.map((invoice) => withAllPayments(ctx, invoice)))
  const isPaid = billed.some(({ amount_paid: paid }) => paid > 0)
  const charged = isPaid
    ? await readCharges(ctx, customer, billed)
    : { refunds: [], disputes: [], methods: new Map<string, Set<string>>() }
  const notes = new Map(
    await Promise.all(billed.map(async (one) => [one.id ?? '', await readNotes(ctx, one)] as const)),
  )
  const { moneyOf, rows } = refundedOtherwise({ invoices: billed, refunds: charged.refunds, notes })
  const isNoted = [...notes.values()].some(({ after }) => after.length > 0)
  const { answers, hasBalance = false } = own
  const { credits, taken } = await readCredits(ctx, customer, {
    invoices: listed,
    answers,
    hasBalance: hasBalance || isNoted,
    moneyOf,
  })
  const read = await Promise.all(
    billed.map(async (invoice): Promise<ReadInvoice> => {
      const { id = '' } = invoice
      const adoption = own.adoptions.get(subscriptionOf(invoice) ?? '')
      const lines = await readLines(ctx, invoice, adoption)
      const about = { notes: notes.get(id) ?? { before: [], after: [] }, setOff: taken.get(id) }
      const isUpgrade = isForRest(invoice, lines) || isNotInForce(invoice, lines, own.subscriptions ?? [])
      const methods = charged.methods.get(id)
      return { invoice, read: lines, adoptedAt: adoption?.adoptedAt, ...about, methods, isUpgrade }
    }),
  )
  const tiers = carryTiers(read, own.subscriptions ?? [])
  const supplied = new Map(read.map((one) => [one, suppliedBy(one)]))
  const refunds = namingLines([...charged.refunds, ...rows()], supplied)
  const invoices = [...supplied].map(([one, by]) => toInvoice(one, by, refunds)).filter((invoice) => invoice !== null)
  return { invoices, refunds, disputes: charged.disputes, credits, tiers }
}

/** A customer's invoice with everything read about it. */
type ReadInvoice = {
  invoice: Stripe.Invoice
  read: ReadLine[]
  adoptedAt: string | undefined
  notes: NotesOfInvoice
  methods: ReadonlySet<string> | undefined
  isUpgrade: boolean
  setOff: SetOff | undefined
}

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
  const methods = new Map<string, Set<string>>()
  for (const { charge, invoice } of ofInvoices) {
    if (charge.status !== 'succeeded') continue
    const types = methods.get(invoice) ?? new Set()
    methods.set(invoice, types.add(charge.payment_method_details?.type ?? ''))
  }
  return { refunds: (await Promise.all(refundsByCharge)).flat(), disputes, methods }
}

/** Stripe only includes the first few entries of a nested list. */
async function listRefundsOfCharge(ctx: HasStripe, { id, refunds }: Stripe.Charge): Promise<Stripe.Refund[]> {
  if (refunds?.has_more !== true) return refunds?.data ?? []
  return ctx.stripe.refunds.list({ charge: id, limit: 100 }).autoPagingToArray({ limit: 10_000 })
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
  lines: null,
  created: toInstant(refund.created),
})

function toInvoice(
  { invoice, read, adoptedAt, setOff, methods, isUpgrade }: ReadInvoice,
  supplied: Supplied,
  refunds: readonly RefundState[],
): InvoiceState | null {
  const status = (['draft', 'open', 'paid', 'void', 'uncollectible'] as const).find((known) => known === invoice.status)
  if (invoice.id === undefined || status === undefined) return null
  const main = mainLine(read)
  const paidAt = toInstantOrNull(invoice.status_transitions.paid_at)
  const isLast = isLastBill(invoice, read)
  return {
    id: invoice.id,
    subscriptionId: subscriptionOf(invoice),
    status,
    billingReason: isLast ? 'manual' : invoice.billing_reason,
    ...supplied,
    quotientOrderId: invoice.metadata?.quotientOrder ?? null,
    isHistory: adoptedAt !== undefined && status === 'paid' && (paidAt ?? toInstant(invoice.created)) < adoptedAt,
    isUpgrade,
    freeMonthNet: freeMonthNetOf(invoice.billing_reason, supplied),
    isKept: status === 'draft' && !invoice.auto_advance && !isLast && invoice.billing_reason !== 'manual',
    attempts: invoice.attempt_count,
    nextAttemptAt: toInstantOrNull(invoice.next_payment_attempt),
    tierSlug: main?.tierSlug ?? null,
    amountPaid: invoice.amount_paid,
    fromCredit: fromCreditOf(invoice, setOff),
    due: status === 'paid' || status === 'void' ? null : invoice.amount_remaining,
    paidBy: paidByOf(invoice, methods),
    amountRefunded: refundedOf(refunds, invoice.id),
    hostedInvoiceUrl: invoice.hosted_invoice_url ?? null,
    periodStart: toInstantOrNull(main?.line.period.start),
    periodEnd: toInstantOrNull(main?.line.period.end),
    created: toInstant(invoice.created),
    paidAt,
  }
}

const hasPeriod = (read: readonly ReadLine[]) => read.some(({ line }) => isPeriod(line))

/** What was pending where a subscription ended with its period is for none, as what an owner adds. */
const isLastBill = ({ billing_reason: reason }: Stripe.Invoice, read: readonly ReadLine[]) =>
  reason === 'subscription_cycle' && !hasPeriod(read)

const isForRest = (invoice: Stripe.Invoice, read: readonly ReadLine[]) =>
  read.some(({ line }) => isProration(line)) && !hasPeriod(read) && !isLastBill(invoice, read)

/** Of a period that a change begins today, and that isn't paid: until then the subscription keeps its price, and nothing is owed. */
function isNotInForce(
  invoice: Stripe.Invoice,
  read: readonly ReadLine[],
  subscriptions: readonly Stripe.Subscription[],
): boolean {
  if (invoice.status === 'paid' || invoice.billing_reason !== 'subscription_update') return false
  const billed = read.flatMap(({ line }) => (isPeriod(line) ? (idOf(line.pricing?.price_details?.price) ?? []) : []))
  const subscription = subscriptions.find(({ id }) => id === subscriptionOf(invoice))
  const present = subscription?.items.data.map(({ price }) => price.id) ?? []
  return subscription !== undefined && billed.some((price) => !present.includes(price))
}

type Supplied = Pick<InvoiceState, 'lines' | 'net' | 'vat' | 'total'>

/** What's supplied: Stripe's lines less credit notes before payment and goodwill. */
function suppliedBy({ invoice, read, notes, setOff }: ReadInvoice): Supplied {
  const off = invoice.pre_payment_credit_notes_amount + (setOff?.goodwill ?? 0)
  const total = invoice.total - off
  const whole = read.map(({ line: _line, ...own }) => own)
  const lines = off === 0 ? whole : linesAfter({ read, lines: whole }, notes.before, off)
  const net = off === 0 ? netOf(invoice, lines) : lines.reduce((sum, line) => sum + line.net, 0)
  return { lines, net, vat: total - net, total }
}

type Lines = { read: readonly ReadLine[]; lines: InvoiceLine[] }

/** What credit notes lower on the lines they name, and the rest over all lines. */
function linesAfter({ read, lines }: Lines, notes: readonly Stripe.CreditNote[], off: number): InvoiceLine[] {
  let [left, given] = [lines, 0]
  for (const note of notes.filter(({ post_payment_amount: after }) => after === 0)) {
    const named = lessNamed({ read, lines: left }, namedByNote(note))
    if (named === null) continue
    left = named
    given += note.pre_payment_amount
  }
  return reducedLines(left, off - given)
}

/** Refunds that credit lines of their payment, each by its credit note's or by those of an invoice below nought. */
function namingLines(refunds: readonly RefundState[], supplied: ReadonlyMap<ReadInvoice, Supplied>): RefundState[] {
  const byId = new Map([...supplied.keys()].map((one) => [one.invoice.id ?? '', one]))
  const named = new Map<string, CreditedLine[]>()
  for (const [{ read, notes }, { lines }] of supplied) {
    let left = lines
    for (const note of notes.after.filter(({ pre_payment_amount: before }) => before === 0)) {
      const rest = lessNamed({ read, lines: left }, namedByNote(note))
      if (rest === null) continue
      for (const id of [note.id, ...note.refunds.map(({ refund }) => idOf(refund))]) {
        if (id !== null) named.set(id, creditedLines(left, rest))
      }
      left = rest
    }
  }
  return refunds.map((refund) => {
    const payment = byId.get(refund.providerInvoiceId)
    const credit = byId.get(refund.id.split(':')[0] ?? '')
    if (payment === undefined || credit === undefined) return { ...refund, lines: named.get(refund.id) ?? null }
    const { read } = payment
    const lines = supplied.get(payment)?.lines ?? []
    const rest = lessNamed({ read, lines }, namedByCredit(credit.read))
    return { ...refund, lines: rest === null ? null : creditedLines(lines, rest) }
  })
}

/** Balance whose movement Stripe doesn't list counts as money: our invoice is then for the whole supply. */
function fromCreditOf(invoice: Stripe.Invoice, setOff: SetOff | undefined): number {
  const { status, total, starting_balance: before, ending_balance: after } = invoice
  if (status === 'draft' || status === 'void') return 0
  if (setOff !== undefined) return setOff.money
  return Math.max(0, Math.min(total, (after ?? before) - before))
}

/** What was taken outside Stripe, or in several ways, has no one word. */
function paidByOf({ payments, status }: Stripe.Invoice, methods: ReadonlySet<string> = new Set()): string | null {
  const isOutside = payments?.data.some(({ payment, status: of }) => payment.type === 'payment_record' && of === 'paid')
  const [only] = methods
  return status !== 'paid' || isOutside || methods.size !== 1 ? null : only || null
}

/** The one the payment is about: the tier's period, then the rest of one at another tier. An upgrade charges one and credits one. */
function mainLine(lines: readonly ReadLine[]): ReadLine | undefined {
  const ofTier = lines.filter(({ tierSlug }) => tierSlug !== undefined)
  const isChargeForRest = ({ line }: ReadLine) => isProration(line) && line.amount > 0
  const isOfPeriod = ({ line }: ReadLine) => isPeriod(line)
  return (
    ofTier.find(isOfPeriod) ??
    ofTier.find(isChargeForRest) ??
    ofTier[0] ??
    lines.find(isOfPeriod) ??
    lines.find(isChargeForRest) ??
    lines[0]
  )
}

/** The lines' sum if they are all that was charged, else what Stripe says, or a sixth off the whole where it names no tax. */
function netOf({ total, total_excluding_tax: excluding }: Stripe.Invoice, lines: readonly InvoiceLine[]): number {
  const isWhole = lines.reduce((sum, { net, vat }) => sum + net + vat, 0) === total
  if (isWhole) return lines.reduce((sum, { net }) => sum + net, 0)
  return excluding === null || excluding === total ? total - vatWithin(Math.max(0, total)) : excluding
}

/**
 * The normal price of a renewal that discounts made free. Null for any other invoice, including a trial's (it starts the
 * subscription and its period has no price) and a first payment.
 */
function freeMonthNetOf(
  reason: string | null,
  { total, lines }: { total: number; lines: readonly InvoiceLine[] },
): number | null {
  if (reason !== 'subscription_cycle' || total !== 0) return null
  const month = lines.filter((line) => line.isPeriod === true)
  const full = month.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0)
  return full > 0 && month.every(({ net }) => net === 0) ? full : null
}

const refundedOf = (refunds: readonly RefundState[], invoiceId: string) =>
  refunds
    .filter(({ providerInvoiceId, status }) => providerInvoiceId === invoiceId && status === 'succeeded')
    .reduce((sum, { amount }) => sum + amount, 0)
