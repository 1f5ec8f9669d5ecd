import type Stripe from 'stripe'
import type { NextPaymentFacts } from '#api/db/schema/next-payment.ts'
import { onlyRate, type Price } from '#shared/rules/money.ts'
import type { HasStripe } from './client.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { idOf } from './ids-and-times.ts'
import { fromCreditOf, toNextPayment } from './next-payment.ts'
import { type ReadLine, readLines } from './read-lines.ts'
import { tierItemOf, withAllItems } from './tier-items.ts'

export type PriceChange = { subscription: string; item: string; price: string }

const itemsOf = ({ item, price }: PriceChange) => [{ id: item, price }]

type PartOfPrice = 'charge' | 'credit'
export type PreviewedUpgrade = Price &
  Record<PartOfPrice, Price> &
  Record<'due' | 'fromCredit' | 'balanceAfter', number> & { vatRate: number | null; takesWaiting: boolean }

/**
 * What Stripe would charge now for the rest of the period, from `prorationDate` (unix seconds). It takes `due`, and leaves
 * `balanceAfter` with the customer: a debt, or credit if it's below nought. `takesWaiting`: it would also take what's waiting for
 * the next invoice. https://docs.stripe.com/billing/subscriptions/prorations#preview-proration
 */
export async function previewUpgrade(
  ctx: HasStripe,
  change: PriceChange,
  prorationDate: number,
): Promise<PreviewedUpgrade> {
  const invoice = await ctx.stripe.invoices.createPreview({
    subscription: change.subscription,
    subscription_details: {
      items: itemsOf(change),
      proration_behavior: 'always_invoice',
      proration_date: prorationDate,
    },
  })
  const lines = await readLines(ctx, invoice, undefined)
  const { total, amount_due: due, starting_balance: balance } = invoice
  const { vat } = sumOf(lines)
  return {
    net: total - vat,
    vat,
    total,
    vatRate: onlyRate(lines),
    due,
    fromCredit: fromCreditOf(invoice),
    balanceAfter: balance + total - due,
    charge: sumOf(lines.filter(({ net }) => net > 0)),
    credit: negated(sumOf(lines.filter(({ net }) => net <= 0))),
    takesWaiting: lines.some((line) => !isPartOf(line, prorationDate)),
  }
}

/** A proration that an earlier change left waiting begins at another time. Stripe's own examples allow for a second. */
const isPartOf = ({ isProration, line: { period } }: ReadLine, prorationDate: number) =>
  isProration === true && Math.abs(period.start - prorationDate) <= 1

/** The renewal after the change. Stripe would set today's balance off against it too, so we say what's left: `balance`. */
export async function previewRenewal(ctx: HasStripe, change: PriceChange, balance: number): Promise<NextPaymentFacts> {
  const invoice = await ctx.stripe.invoices.createPreview({
    subscription: change.subscription,
    subscription_details: { items: itemsOf(change), proration_behavior: 'none' },
  })
  if (balance === invoice.starting_balance) return toNextPayment(ctx, invoice)
  const due = Math.max(0, invoice.total + balance)
  return toNextPayment(ctx, { ...invoice, starting_balance: balance, amount_due: due })
}

function sumOf(lines: readonly ReadLine[]): Price {
  const sum = (what: 'net' | 'vat') => lines.reduce((all, line) => all + line[what], 0)
  const [net, vat] = [sum('net'), sum('vat')]
  return { net, vat, total: net + vat }
}

const negated = ({ net, vat, total }: Price): Price => ({ net: 0 - net, vat: 0 - vat, total: 0 - total })

/**
 * Changes the price now and charges the difference. Until that's paid, the change waits with its invoice and nothing else
 * changes. A pending update only supports these parameters:
 * https://docs.stripe.com/billing/subscriptions/pending-updates-reference
 */
export const startUpgrade = (
  ctx: HasStripe,
  change: PriceChange,
  { prorationDate, key }: { prorationDate: number; key: string },
): Promise<Stripe.Subscription> =>
  withIdempotencyKey(ctx, key, (options) =>
    ctx.stripe.subscriptions.update(
      change.subscription,
      {
        items: itemsOf(change),
        payment_behavior: 'pending_if_incomplete',
        proration_behavior: 'always_invoice',
        proration_date: prorationDate,
      },
      options,
    ),
  )

export type UpgradeState =
  | { status: 'upgraded' | 'none' }
  | { status: 'waiting'; invoice: string; isTaken: boolean; clientSecret: string | null; refusal: string | null }

/**
 * The state of a started upgrade. While it waits, `clientSecret` is for the bank's check, or null if it doesn't ask. `refusal` is
 * the bank's message. `isTaken`: paid, and about to apply.
 */
export async function readUpgrade(
  ctx: HasStripe,
  { subscription, price }: Omit<PriceChange, 'item'>,
): Promise<UpgradeState> {
  const expand = ['latest_invoice.payments']
  const read = await withAllItems(ctx, await ctx.stripe.subscriptions.retrieve(subscription, { expand }))
  const { pending_update, latest_invoice } = read
  const invoice = typeof latest_invoice === 'object' ? latest_invoice : null
  if (pending_update === null || invoice?.id === undefined) {
    return { status: tierItemOf(read)?.price.id === price ? 'upgraded' : 'none' }
  }
  const intentId = idOf(invoice.payments?.data[0]?.payment.payment_intent)
  const intent = intentId === null ? null : await ctx.stripe.paymentIntents.retrieve(intentId)
  return {
    status: 'waiting',
    invoice: invoice.id,
    isTaken: intent?.status === 'succeeded' || intent?.status === 'processing',
    clientSecret: intent?.status === 'requires_action' ? intent.client_secret : null,
    refusal: intent?.last_payment_error?.message ?? null,
  }
}

export type Upgradable = { item: string | null; hasSchedule: boolean; hasOneOffDiscount: boolean }

/**
 * The item that buys the tier, and what prevents a price change now: a schedule already decides what's next, and a single-invoice
 * discount would be used up by the wrong invoice.
 */
export async function readUpgradable(ctx: HasStripe, subscription: string): Promise<Upgradable> {
  const expand = ['discounts.source.coupon', 'items.data.discounts.source.coupon', 'customer.discount.source.coupon']
  const read = await withAllItems(ctx, await ctx.stripe.subscriptions.retrieve(subscription, { expand }))
  const { discounts, items, customer, schedule } = read
  const inherited = typeof customer === 'object' && !customer.deleted && customer.discount ? [customer.discount] : []
  const all = [...discounts, ...items.data.flatMap((item) => item.discounts), ...inherited]
  return { item: tierItemOf(read)?.id ?? null, hasSchedule: schedule !== null, hasOneOffDiscount: all.some(isOneOff) }
}

function isOneOff(discount: string | Stripe.Discount): boolean {
  const coupon = typeof discount === 'object' ? discount.source.coupon : null
  return coupon !== null && typeof coupon === 'object' && coupon.duration === 'once'
}
