import type Stripe from 'stripe'
import type { NextPaymentFacts } from '#api/db/schema/next-payment.ts'
import { onlyRate, type Price } from '#shared/rules/money.ts'
import type { HasStripe } from './client.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { idOf, toInstant } from './ids-and-times.ts'
import { fromCreditOf, toNextPayment } from './next-payment.ts'
import { isPeriod, type ReadLine, readLines } from './read-lines.ts'
import { tierItemOf, withAllItems } from './tier-items.ts'

/** `restarts`: the price is of another period, so that a whole one begins, and is billed, today. */
export type PriceChange = { subscription: string; item: string; price: string; restarts: boolean }

/** Only in classic billing would another interval begin a period by itself: https://docs.stripe.com/billing/subscriptions/billing-mode/compare */
const detailsOf = ({ item, price, restarts }: PriceChange) => ({
  items: [{ id: item, price }],
  ...(restarts ? { billing_cycle_anchor: { type: 'now' as const } } : {}),
})

type PartOfPrice = 'charge' | 'credit'
export type PreviewedUpgrade = Price &
  Record<PartOfPrice, Price> &
  Record<'due' | 'fromCredit' | 'balanceAfter', number> & { vatRate: number | null; takesWaiting: boolean }

/**
 * What Stripe would charge now for the rest of the period, or for a whole one that begins, from `prorationDate` (unix seconds). It takes `due`, and leaves
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
      ...detailsOf(change),
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
    takesWaiting: lines.some((line) => !isPartOf(change, line, prorationDate)),
  }
}

/** A proration that an earlier change left waiting begins at another time. Stripe's own examples allow for a second. */
const isPartOf = (
  { restarts }: PriceChange,
  { isPeriod, isProration, line: { period } }: ReadLine,
  prorationDate: number,
) => (restarts && isPeriod === true) || (isProration === true && Math.abs(period.start - prorationDate) <= 1)

/**
 * The renewal after the change. Stripe would set today's balance off against it too, so we say what's left: `balance`. Of a period
 * that begins today it's another one where that ends: what today's would cost without a credit.
 */
export async function previewRenewal(ctx: HasStripe, change: PriceChange, balance: number): Promise<NextPaymentFacts> {
  const invoice = await ctx.stripe.invoices.createPreview({
    subscription: change.subscription,
    subscription_details: { ...detailsOf(change), proration_behavior: 'none' },
  })
  const due = Math.max(0, invoice.total + balance)
  const isLeft = balance === invoice.starting_balance
  const next = await toNextPayment(ctx, isLeft ? invoice : { ...invoice, starting_balance: balance, amount_due: due })
  const whole = change.restarts ? invoice.lines.data.find(isPeriod) : undefined
  return whole === undefined ? next : { ...next, at: toInstant(whole.period.end) }
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
        ...detailsOf(change),
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
  { subscription, price }: Pick<PriceChange, 'subscription' | 'price'>,
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

export type Upgradable = {
  item: string | null
  /** Unix seconds. */
  periodStart: number
  hasSchedule: boolean
  hasOneOffDiscount: boolean
  hasPassingDiscount: boolean
  hasOtherItems: boolean
}

/**
 * The item that buys the tier, and what prevents a price change now: a schedule already decides what's next, and a single-invoice
 * discount would be used up by the wrong invoice. And what prevents another period: a discount for some months would come off a whole
 * year, and add-ons have the period of the membership.
 */
export async function readUpgradable(ctx: HasStripe, subscription: string): Promise<Upgradable> {
  const expand = ['discounts.source.coupon', 'items.data.discounts.source.coupon', 'customer.discount.source.coupon']
  const read = await withAllItems(ctx, await ctx.stripe.subscriptions.retrieve(subscription, { expand }))
  const { discounts, items, customer, schedule } = read
  const inherited = typeof customer === 'object' && !customer.deleted && customer.discount ? [customer.discount] : []
  const all = [...discounts, ...items.data.flatMap((item) => item.discounts), ...inherited]
  const durations = all.map(durationOf)
  const item = tierItemOf(read)
  return {
    item: item?.id ?? null,
    periodStart: item?.current_period_start ?? read.created,
    hasSchedule: schedule !== null,
    hasOneOffDiscount: durations.includes('once'),
    hasPassingDiscount: durations.some((duration) => duration !== 'forever'),
    hasOtherItems: items.data.length > 1,
  }
}

function durationOf(discount: string | Stripe.Discount): string | null {
  const coupon = typeof discount === 'object' ? discount.source.coupon : null
  return coupon !== null && typeof coupon === 'object' ? coupon.duration : null
}
