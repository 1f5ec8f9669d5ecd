import type Stripe from 'stripe'
import type { PaymentWorld } from '../payments.ts'

/** The sandbox's own objects, and sums over them that share no code with the product. Months are YYYY-MM of London. */
export type Books = { subscriptions: Stripe.Subscription[]; paid: Paid[] }

type Refund = { amount: number; month: string; created: number }
type Paid = { net: number; vat: number; total: number; month: string; refunds: Refund[] }

const monthFormat = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', year: 'numeric', month: '2-digit' })
export const monthOf = (seconds: number) => monthFormat.format(new Date(seconds * 1000)).slice(0, 7)

const everything = { limit: 10_000 }

export async function readBooks({ ctx: { stripe } }: PaymentWorld): Promise<Books> {
  const subscriptions = await stripe.subscriptions.list({ status: 'all', limit: 100 }).autoPagingToArray(everything)
  const invoices = await stripe.invoices
    .list({ status: 'paid', limit: 100, expand: ['data.payments'] })
    .autoPagingToArray(everything)
  const refunds = await stripe.refunds.list({ limit: 100 }).autoPagingToArray(everything)
  const paid = invoices.filter((invoice) => invoice.amount_paid > 0).map((invoice) => toPaid(invoice, refunds))
  return { subscriptions, paid }
}

function toPaid(invoice: Stripe.Invoice, refunds: Stripe.Refund[]): Paid {
  const intents = (invoice.payments?.data ?? []).map(({ payment }) => payment.payment_intent)
  const net = invoice.total_excluding_tax ?? 0
  return {
    net,
    vat: invoice.total - net,
    total: invoice.total,
    month: monthOf(invoice.status_transitions.paid_at ?? 0),
    refunds: refunds
      .filter(({ payment_intent: intent }) => intents.includes(intent ?? ''))
      .map(({ amount, created }) => ({ amount, created, month: monthOf(created) }))
      .sort((one, other) => one.created - other.created),
  }
}

/** What a month brings now: active and past due, at their price excluding VAT. */
export const recurringRevenue = ({ subscriptions }: Books) =>
  sum(
    subscriptions
      .filter(({ status }) => status === 'active' || status === 'past_due')
      .map(({ items }) => items.data[0]?.price.unit_amount ?? 0),
  )

export function vatOf({ paid }: Books, month: string) {
  const invoiced = paid.filter((invoice) => invoice.month === month)
  const credited = paid.flatMap(creditsOf).filter((credit) => credit.month === month)
  return {
    invoicedNet: sum(invoiced.map(({ net }) => net)),
    invoicedVat: sum(invoiced.map(({ vat }) => vat)),
    invoicedGross: sum(invoiced.map(({ total }) => total)),
    creditedNet: sum(credited.map(({ net }) => net)),
    creditedVat: sum(credited.map(({ vat }) => vat)),
    creditedGross: sum(credited.map(({ gross }) => gross)),
  }
}

/** Each refund with its part of the VAT, so that all parts of a payment add up to the payment's own VAT. */
function creditsOf({ vat, total, refunds }: Paid) {
  let gross = 0
  return refunds.map(({ amount, month }) => {
    const before = half(vat * gross, total)
    gross += amount
    const part = half(vat * gross, total) - before
    return { month, gross: amount, vat: part, net: amount - part, netSoFar: gross - half(vat * gross, total) }
  })
}

const commissionPerCent = 10

/** Earned on what was paid in a month, and taken back for what was refunded in it. */
export function commissionOf({ paid }: Books, month: string) {
  const earned = paid.filter((invoice) => invoice.month === month).map(({ net }) => half(net * commissionPerCent, 100))
  const clawedBack = paid.flatMap((invoice) => {
    const commission = half(invoice.net * commissionPerCent, 100)
    let before = 0
    return creditsOf(invoice).flatMap((credit) => {
      const all = half(commission * credit.netSoFar, invoice.net)
      const part = all - before
      before = all
      return credit.month === month ? [part] : []
    })
  })
  return { earned: sum(earned), clawedBack: sum(clawedBack) }
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** A fraction of whole numbers, halves upwards. */
const half = (numerator: number, denominator: number) => Math.floor(numerator / denominator + 0.5)
