import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { NextPaymentFacts, WaitingStart } from '#api/db/schema/next-payment.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'
import { discountsWithFreeMonth } from './free-month.ts'
import { idOf, toInstant } from './ids-and-times.ts'
import { everyOf, periodOf, readPrice } from './prices.ts'
import { type ReadLine, readLines } from './read-lines.ts'
import type { ProviderCustomer } from './read-subscriptions.ts'
import { type NextPhase, withNextPhase, withoutNextPhase } from './schedules.ts'
import { tierItemOf, withAllItems } from './tier-items.ts'

/** What Stripe's next invoice is asked about: a subscription, or the schedule that manages it. */
type Upcoming = { subscription: string; schedule: string | null; isPaused?: boolean }

/** `key` tells whether anything has changed that the next invoice may depend on. */
export type UpcomingState = Upcoming & { key: string }

const billed = ['trialing', 'active', 'past_due', 'paused']

/** Null for one that makes no further invoice, or none that we'd promise. */
export function upcomingOf(
  subscription: Stripe.Subscription,
  customer: ProviderCustomer,
  pending: readonly Stripe.InvoiceItem[],
): UpcomingState | null {
  const { id, status, schedule } = subscription
  if (customer.deleted || !billed.includes(status)) return null
  // What's pending is collected at the end. https://docs.stripe.com/api/subscriptions/cancel
  if (endsWithPeriod(subscription) && (pending.length === 0 || status === 'paused')) return null
  // A card's details change nothing of what is due, but a trial that ends without any card may bill nothing.
  const { default_payment_method, default_source, pending_setup_intent, ...terms } = subscription
  const { balance, discount, tax_exempt, invoice_settings } = customer
  const cards = [default_payment_method, default_source, pending_setup_intent, invoice_settings.default_payment_method]
  const read = [terms, cards.map(idOf), balance, discount, tax_exempt]
  const items = pending.map(({ id: item, amount, period, tax_rates }) => [item, amount, period, tax_rates?.map(idOf)])
  const key = createHash('sha256')
    .update(JSON.stringify([read, items]))
    .digest('hex')
  return { subscription: id, schedule: idOf(schedule), isPaused: status === 'paused', key }
}

const resumedNow = { subscription_details: { resume_at: 'now' } } as const

/** Owners may set an end that's beyond what's paid. Until then it's billed as ever. */
function endsWithPeriod(subscription: Stripe.Subscription): boolean {
  const { cancel_at, cancel_at_period_end } = subscription
  return (
    cancel_at_period_end || (cancel_at !== null && cancel_at <= (tierItemOf(subscription)?.current_period_end ?? 0))
  )
}

/** The next invoice, and of a paused subscription what resuming it would cost. Null if Stripe says that there's none. */
export const previewNextPayment = (ctx: HasStripe, { subscription, schedule, isPaused }: Upcoming) =>
  // A schedule decides what comes next, and can't be asked about together with its subscription.
  preview(ctx, schedule === null ? { subscription, ...(isPaused ? resumedNow : {}) } : { schedule })

/** With the first invoice of the subscription that it begins. */
export const previewWaitingStart = async (
  ctx: HasStripe,
  waiting: Omit<WaitingStart, 'payment'>,
): Promise<WaitingStart> => ({ ...waiting, payment: await preview(ctx, { schedule: waiting.schedule }) })

/** After a cancellation was undone, or a pause ended. */
export function previewResumed(
  ctx: HasStripe,
  { id, cancelAtPeriodEnd, status }: { id: string; cancelAtPeriodEnd: boolean; status: string },
): Promise<NextPaymentFacts | null> {
  if (status === 'paused') return preview(ctx, { subscription: id, ...resumedNow })
  const undone = cancelAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' as const }
  return preview(ctx, { subscription: id, subscription_details: undone })
}

/** What's collected at the end of the period, once it's cancelled. Null if nothing is. */
export async function previewCancelled(ctx: HasStripe, id: string): Promise<NextPaymentFacts | null> {
  const { schedule, items } = await ctx.stripe.subscriptions.retrieve(id, { expand: ['schedule'] })
  const periodEnd = tierItemOf({ items })?.current_period_end ?? null
  return schedule !== null && typeof schedule === 'object'
    ? preview(ctx, { schedule: schedule.id, schedule_details: withoutNextPhase(schedule, periodEnd) })
    : preview(ctx, { subscription: id, subscription_details: { cancel_at_period_end: true } })
}

/**
 * With another price from the next period, in the place of a change that's booked. Null if it's of another period, and something else
 * is bought beside it.
 */
export async function previewNextPrice(
  ctx: HasStripe,
  id: string,
  { price, every, taxRate }: Pick<NextPhase, 'price' | 'every' | 'taxRate'>,
): Promise<NextPaymentFacts | null> {
  const read = await ctx.stripe.subscriptions.retrieve(id, { expand: ['schedule', 'discounts'] })
  const { schedule, items, discounts, status } = await withAllItems(ctx, read)
  const present = tierItemOf({ items })
  const restarts = present !== undefined && everyOf(periodOf(present.price.recurring)) !== every
  if (restarts && items.data.length > 1) return null
  if (schedule !== null && typeof schedule === 'object') {
    const next = {
      from: present?.price.id ?? null,
      periodEnd: present?.current_period_end ?? null,
      price,
      every,
      restarts,
      taxRate,
      metadata: {},
      discounts: discounts.flatMap((discount) => idOf(discount) ?? []),
    }
    return preview(ctx, { schedule: schedule.id, schedule_details: withNextPhase(schedule, next) })
  }
  // Booking it leaves the item no rate of its own, which would go before ours.
  const item = { id: present?.id ?? '', price, tax_rates: '' as const }
  const changed = { items: [item], proration_behavior: 'none' as const, default_tax_rates: [taxRate] }
  // A trial's end is the anchor as it is.
  if (!restarts || status === 'trialing') return preview(ctx, { subscription: id, subscription_details: changed })
  // As it would be billed today, with the discounts that are left by then.
  const end = present.current_period_end
  const left = discounts.filter((discount) => typeof discount === 'string' || (discount.end ?? end + 1) > end)
  const next = await preview(ctx, {
    subscription: id,
    subscription_details: { ...changed, billing_cycle_anchor: { type: 'now' } },
    ...(left.length === discounts.length ? {} : { discounts: asLeft(left) }),
  })
  return next && { ...next, at: toInstant(end) }
}

const asLeft = (left: readonly (string | Stripe.Discount)[]) =>
  left.length === 0 ? ('' as const) : left.map((discount) => ({ discount: idOf(discount) }))

export async function previewFreeMonth(ctx: HasStripe, id: string, isFree: boolean): Promise<NextPaymentFacts | null> {
  const discounts = await discountsWithFreeMonth(ctx, id, isFree)
  return preview(ctx, { subscription: id, ...(discounts === null ? {} : { discounts }) })
}

/** https://docs.stripe.com/api/invoices/create_preview */
async function preview(ctx: HasStripe, asked: Stripe.InvoiceCreatePreviewParams): Promise<NextPaymentFacts | null> {
  try {
    return await toNextPayment(ctx, await ctx.stripe.invoices.createPreview(asked))
  } catch (error) {
    if (errorCodeOf(error) === 'invoice_upcoming_none') return null
    throw error
  }
}

export async function toNextPayment(ctx: HasStripe, invoice: Stripe.Invoice): Promise<NextPaymentFacts> {
  const { total, amount_due: due, starting_balance: balance } = invoice
  const read = await readLines(ctx, invoice, undefined)
  const vat = read.reduce((sum, line) => sum + line.vat, 0)
  const begins = read.find(({ isPeriod }) => isPeriod === true)?.line.period.start
  const isDiscounted = (invoice.total_discount_amounts ?? []).some(({ amount }) => amount > 0)
  const hasTier = read.some(({ tierSlug }) => tierSlug !== undefined)
  const every = due === total && !isDiscounted ? await everyOfLines(ctx, read) : null
  return {
    at: toInstant(begins ?? invoice.period_end),
    net: total - vat,
    vat,
    total,
    due,
    fromCredit: fromCreditOf(invoice),
    ...(every === 'month' ? { isEveryMonth: true } : {}),
    ...(every === 'year' ? { isEveryYear: true } : {}),
    ...(total < 0 ? { toCredit: Math.max(0, 0 - balance - total) } : {}),
    lines: read.map(({ description, net, vat: ofLine, tierSlug }) => ({
      description,
      net,
      vat: ofLine,
      ...(hasTier && tierSlug === undefined ? { isOther: true } : {}),
    })),
  }
}

/** Only months, or only years, of the subscription's own: no week, and nothing that waited for this invoice. Else null. */
async function everyOfLines(ctx: HasStripe, lines: readonly ReadLine[]): Promise<PricePeriod | null> {
  const prices = lines.map(({ isPeriod, line: { pricing } }) => (isPeriod ? idOf(pricing?.price_details?.price) : null))
  const read = await Promise.all(prices.map(async (price) => (price ? everyOf(await readPrice(ctx, price)) : null)))
  const [every = null, ...others] = read
  return others.every((other) => other === every) ? every : null
}

/** What credit on the customer pays of an invoice; none where they owe something instead. */
export const fromCreditOf = ({ total, starting_balance: balance }: Stripe.Invoice): number =>
  Math.min(Math.max(0, total), Math.max(0, 0 - balance))
