import * as v from 'valibot'
import { expect } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import type { PaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { Earned } from '#shared/contract/earned.ts'
import { type Books, half, monthOf, type Paid, sum, vatOf } from './books.ts'

/** Expects each month, quarter and tax year to say what Stripe's charges, refunds and payouts do, and the books. */
export async function expectEarned(world: PaymentWorld, asOwner: Call, books: Books): Promise<void> {
  await runJob(world.ctx, 'reconcile')
  const inMonth = await readCash(world)
  for (const by of ['month', 'quarter', 'tax-year']) {
    const { lines, balance } = v.parse(Earned, await (await asOwner(`/api/admin/earned?by=${by}`)).json())
    expect(balance?.ours, 'our balance and Stripe’s').toBe(balance?.stripe)
    for (const { period, taken, refunded, vat, fees, commission, left, forLater, bridge } of lines) {
      const months = monthsWithin(period)
      const cash = months.map(inMonth)
      const of = (part: 'taken' | 'refunded' | 'paidOut') => sum(cash.map((month) => month[part]))
      const documents = months.map((month) => vatOf(books, month))
      expect({ period, taken, refunded, vat, forLater, paidOut: bridge?.paidOut, left }).toEqual({
        period,
        taken: of('taken'),
        refunded: of('refunded'),
        vat: sum(documents.map(({ invoiced, credited }) => invoiced.vat - credited.vat)),
        forLater: sum(books.paid.filter(({ month }) => months.includes(month)).map((paid) => laterOf(paid, months))),
        paidOut: of('paidOut'),
        left: taken - refunded - vat - (fees ?? 0) - commission,
      })
    }
  }
}

async function readCash({ ctx: { stripe } }: PaymentWorld) {
  const everything = { limit: 10_000 }
  const charges = await stripe.charges.list({ limit: 100 }).autoPagingToArray(everything)
  const refunds = await stripe.refunds.list({ limit: 100 }).autoPagingToArray(everything)
  const payouts = await stripe.payouts.list({ limit: 100 }).autoPagingToArray(everything)
  const within = (moved: { amount: number; created: number }[], month: string) =>
    sum(moved.filter(({ created }) => monthOf(created) === month).map(({ amount }) => amount))
  return (month: string) => ({
    taken: within(
      charges.filter(({ status }) => status === 'succeeded'),
      month,
    ),
    refunded: within(refunds, month),
    paidOut: within(payouts, month),
  })
}

/** 2026-06, 2026-Q2 or 2026/27, as months. */
function monthsWithin(period: string): string[] {
  const year = Number(period.slice(0, 4))
  const [first, count] = period.includes('/') ? [4, 12] : [Number(period.slice(6)) * 3 - 2, 3]
  if (!/[/Q]/.test(period)) return [period]
  return Array.from({ length: count }, (_month, at) =>
    new Date(Date.UTC(year, first - 1 + at)).toISOString().slice(0, 7),
  )
}

/** Of a payment for more than a month: what's for the months that begin after these. Refunds are of the last ones. */
function laterOf({ net, total, period: { start, end }, refunds }: Paid, months: readonly string[]): number {
  if (end - start <= 32 * 86_400) return 0
  const starts = startsOf(start, end)
  const begun = starts.filter((at) => monthOf(at) <= (months.at(-1) ?? '')).length
  const back = half(net * sum(refunds.map(({ amount }) => amount)), total)
  return Math.max(0, net - Math.floor((net * begun) / starts.length) - back)
}

/** A year has twelve, though it may be a day longer. */
function startsOf(start: number, end: number): number[] {
  const starts: number[] = []
  for (let at = start; at < end && starts.length < 12; at = monthsAfter(start, starts.length)) starts.push(at)
  return starts
}

function monthsAfter(start: number, months: number): number {
  const at = new Date(start * 1000)
  const day = at.getUTCDate()
  at.setUTCMonth(at.getUTCMonth() + months)
  if (at.getUTCDate() !== day) at.setUTCDate(0)
  return at.getTime() / 1000
}
