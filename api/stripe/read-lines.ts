import type Stripe from 'stripe'
import type { InvoiceLine } from '#api/db/schema/provider.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { taxWithin } from '#shared/rules/charge.ts'
import { vatRate } from '#shared/rules/money.ts'
import type { Adoption } from './adoption-facts.ts'
import type { HasStripe } from './client.ts'
import { idOf } from './ids-and-times.ts'
import { percentageOf, tierOfPrice } from './prices.ts'

type Line = Stripe.InvoiceLineItem

/** `line` is Stripe's, for its period and id. */
export type ReadLine = InvoiceLine & { line: Line }

/** An invoice's lines, each with its own rate of VAT. The tier's are marked with it, wherever they stand among others. */
export async function readLines(
  ctx: HasStripe,
  invoice: Stripe.Invoice,
  adoption: Adoption | undefined,
): Promise<ReadLine[]> {
  const lines = await listLines(ctx, invoice)
  const tiers = await tiersOf(ctx, lines, adoption)
  const { default_tax_rates: shared } = invoice
  return Promise.all(lines.map((line, at) => toLine(ctx, line, { tierSlug: tiers[at] ?? null, adoption, shared })))
}

/**
 * Stripe only includes the first ten, and keeps a preview's for 72 hours:
 * https://docs.stripe.com/invoicing/preview#invoice-line-pagination
 */
export async function listLines(ctx: HasStripe, { id, lines }: Stripe.Invoice): Promise<Line[]> {
  if (!lines.has_more || id === undefined) return lines.data
  return ctx.stripe.invoices.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 10_000 })
}

/**
 * An adopted subscription's foreign price is for the tier an owner named. Where another program has put others in its place, the
 * dearest of the period is.
 */
async function tiersOf(
  ctx: HasStripe,
  lines: readonly Line[],
  adoption: Adoption | undefined,
): Promise<(TierSlug | null)[]> {
  const prices = lines.map(({ pricing }) => idOf(pricing?.price_details?.price))
  const own = await Promise.all(prices.map((price) => (price === null ? null : tierOfPrice(ctx, price))))
  if (adoption === undefined) return own
  const isNamed = own.some((tier, at) => tier !== null || prices[at] === adoption.stripePriceId)
  const bought = isNamed ? adoption.stripePriceId : dearestOf(lines)
  return own.map((tier, at) => tier ?? (prices[at] === bought ? adoption.tierSlug : null))
}

/** Undefined between periods, when an add-on may be billed alone. */
function dearestOf(lines: readonly Line[]): string | undefined {
  const [dearest] = lines.filter(isPeriod).toSorted((one, other) => other.amount - one.amount)
  return idOf(dearest?.pricing?.price_details?.price) ?? undefined
}

/** Whether a line is for the subscription's own period. Charges waiting for the invoice come before it. */
export const isPeriod = ({ parent }: Line) => parent?.subscription_item_details?.proration === false

/** Stripe marks the proration on whichever object made the line. */
export const isProration = ({ parent }: Line) =>
  parent?.subscription_item_details?.proration === true || parent?.invoice_item_details?.proration === true

/** `shared` are the rates of lines without any of their own. */
type Reading = { tierSlug: TierSlug | null; adoption: Adoption | undefined; shared: readonly Stripe.TaxRate[] }

/** Discounts reduce the line's amounts. Its unit price stays the same. */
async function toLine(ctx: HasStripe, line: Line, reading: Reading): Promise<ReadLine> {
  const { tierSlug, adoption } = reading
  const discount = (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const quantity = line.quantity ?? 1
  const charged = line.amount - discount
  const tax = await taxOf(ctx, line, { ...reading, charged })
  const vat = tax.isOnTop ? sumOf(line.taxes) : taxWithin(charged, tax.rate)
  const inside = tax.isOnTop ? 0 : taxWithin(line.amount, tax.rate)
  return {
    line,
    description: line.description ?? '',
    quantity,
    unitPrice: Math.round((line.amount - inside) / Math.max(1, quantity)),
    net: tax.isOnTop ? charged : charged - vat,
    rate: tax.rate,
    vat,
    ...(isPeriod(line) ? { isPeriod: true } : {}),
    ...(isProration(line) ? { isProration: true } : {}),
    ...(tierSlug === null ? {} : { tierSlug }),
    ...(tax.isNamed || adoption !== undefined || charged === 0 ? {} : { isUntaxed: true }),
  }
}

const sumOf = (taxes: Line['taxes']) => (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)

/**
 * What's received where no rate is named, or none was charged at a rate above 0%, includes the VAT: Value Added Tax Act 1994,
 * s.19(2). `isNamed`: Stripe charged the rate it names.
 */
async function taxOf(
  ctx: HasStripe,
  { taxes }: Line,
  { tierSlug, adoption, shared, charged }: Reading & { charged: number },
) {
  const named = (taxes ?? []).flatMap(({ tax_rate_details: details }) => details?.tax_rate ?? [])
  const percentages = await Promise.all(named.map((id) => percentageOf(ctx, id, shared)))
  const rate = percentages.reduce((sum, one) => sum + one, 0)
  // At 0% another program sold a membership untaxed. What's charged along with it may have a 0% of its own.
  const isSold =
    adoption !== undefined && (tierSlug !== null || named.every((id) => shared.some((one) => one.id === id)))
  if (named.length === 0 || (rate === 0 && isSold)) return { rate: vatRate, isOnTop: false, isNamed: false }
  const isInside = (taxes ?? []).some(({ tax_behavior: behaviour }) => behaviour === 'inclusive')
  const isMissing = sumOf(taxes) === 0 && taxWithin(charged, rate) !== 0
  return { rate, isOnTop: !(isInside || isMissing), isNamed: !isMissing }
}
