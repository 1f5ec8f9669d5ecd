import type Stripe from 'stripe'
import type { PaymentWorld } from '#api/testing/payments.ts'

/** The sandbox's own objects, summed without any of the product's code. Months are YYYY-MM in London. */
export type Books = { subscriptions: Stripe.Subscription[]; paid: Paid[] }

type Refund = { amount: number; month: string; day: string; created: number }
/** `tierSlug` is null for anything but a membership. */
export type Paid = {
  customer: string
  tierSlug: string | null
  net: number
  vat: number
  total: number
  month: string
  day: string
  /** What it's for, in seconds. */
  period: { start: number; end: number }
  refunds: Refund[]
}

const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' })
export const dayOf = (seconds: number) => dayFormat.format(new Date(seconds * 1000))
export const monthOf = (seconds: number) => dayOf(seconds).slice(0, 7)

const everything = { limit: 10_000 }

export async function readBooks({ ctx: { stripe } }: PaymentWorld): Promise<Books> {
  const subscriptions = await stripe.subscriptions
    .list({ status: 'all', limit: 100, expand: ['data.discounts.source.coupon'] })
    .autoPagingToArray(everything)
  const invoices = await stripe.invoices
    .list({ status: 'paid', limit: 100, expand: ['data.payments'] })
    .autoPagingToArray(everything)
  const refunds = await stripe.refunds.list({ limit: 100 }).autoPagingToArray(everything)
  const prices = await stripe.prices.list({ limit: 100 }).autoPagingToArray(everything)
  const tierOf = new Map(prices.map(({ id, metadata }) => [id, metadata.tier ?? null]))
  const paid = invoices.filter((invoice) => invoice.amount_paid > 0)
  return { subscriptions, paid: paid.map((invoice) => toPaid(invoice, refunds, tierOf)) }
}

function toPaid(invoice: Stripe.Invoice, refunds: Stripe.Refund[], tierOf: Map<string, string | null>): Paid {
  const intents = (invoice.payments?.data ?? []).map(({ payment }) => payment.payment_intent)
  const net = invoice.total_excluding_tax ?? 0
  const paidAt = invoice.status_transitions.paid_at ?? 0
  // An upgrade credits the old tier first. Its tier is the one it charges for.
  const line = invoice.lines.data.find(({ amount }) => amount > 0) ?? invoice.lines.data[0]
  const { start = 0, end = 0 } = line?.period ?? {}
  const price = line?.pricing?.price_details?.price
  return {
    customer: String(invoice.customer),
    tierSlug: tierOf.get(String(price)) ?? null,
    net,
    vat: invoice.total - net,
    total: invoice.total,
    month: monthOf(paidAt),
    day: dayOf(paidAt),
    period: { start, end },
    refunds: refunds
      .filter(({ payment_intent: intent }) => intents.includes(intent ?? ''))
      .map(({ amount, created }) => ({ amount, created, month: monthOf(created), day: dayOf(created) }))
      .sort((one, other) => one.created - other.created),
  }
}

/** Current monthly revenue: active and past due, at their price excluding VAT less the discounts that still apply. A year is a twelfth. */
export const recurringRevenue = ({ subscriptions }: Books) =>
  half(sum(subscriptions.filter(({ status }) => status === 'active' || status === 'past_due').map(yearly)), 12)

function yearly({ items, discounts }: Stripe.Subscription): number {
  const price = items.data[0]?.price.unit_amount ?? 0
  const taken = discounts.map((discount) => {
    const coupon = typeof discount === 'string' ? null : discount.source.coupon
    if (coupon === null || typeof coupon === 'string') throw new Error('A discount was not expanded.')
    if (coupon.duration === 'once') return 0
    return coupon.amount_off ?? half(price * (coupon.percent_off ?? 0), 100)
  })
  return (price - sum(taken)) * (items.data[0]?.price.recurring?.interval === 'year' ? 1 : 12)
}

export function vatOf({ paid }: Books, month: string) {
  const invoiced = paid.filter((invoice) => invoice.month === month)
  const credited = paid.flatMap(creditsOf).filter((credit) => credit.month === month)
  return {
    invoiced: { net: sum(invoiced.map(({ net }) => net)), vat: sum(invoiced.map(({ vat }) => vat)) },
    credited: { net: sum(credited.map(({ net }) => net)), vat: sum(credited.map(({ vat }) => vat)) },
  }
}

/** Each refund with its share of the VAT, such that the shares add up to the payment's VAT. */
export function creditsOf({ vat, total, refunds }: Paid) {
  let gross = 0
  return refunds.map(({ amount, month, day }) => {
    const before = half(vat * gross, total)
    gross += amount
    const part = half(vat * gross, total) - before
    return { month, day, gross: amount, vat: part, net: amount - part, netSoFar: gross - half(vat * gross, total) }
  })
}

export const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

export const half = (numerator: number, denominator: number) => Math.floor(numerator / denominator + 0.5)
