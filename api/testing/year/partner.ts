import { type Books, creditsOf, half, type Paid, sum } from './books.ts'
import type { OwnerDecisions } from './simulation.ts'

/** The sales partner's dues, from the sandbox's objects and the owners' decisions on rates and payments. */

const firstRate = 10

/** The rate for an invoice's tier on its day: the latest that had begun, and the last one set if a day has several. */
function rateOf({ rates }: OwnerDecisions, { tierSlug, day }: Paid): number {
  const begun = rates.filter((rate) => rate.tierSlug === tierSlug && rate.from <= day)
  return begun.reduce((found, rate) => (rate.from >= found.from ? rate : found), { from: '', rate: firstRate }).rate
}

type Line = { customer: string; paymentMonth: string; month: string; dueOn: string; amount: number }

/** Earned with each tier payment, clawed back with each refund. */
function linesOf(paid: Paid, decisions: OwnerDecisions): { earned: Line; clawedBack: Line[] } {
  const { customer, month, net } = paid
  const commission = half(net * rateOf(decisions, paid), 100)
  const earned = { customer, paymentMonth: month, month, dueOn: daysAfter(paid.day, 15), amount: commission }
  let before = 0
  const clawedBack = creditsOf(paid).map((credit) => {
    const all = half(commission * credit.netSoFar, net)
    const line = { ...earned, month: credit.month, dueOn: later(credit.day, earned.dueOn), amount: before - all }
    before = all
    return line
  })
  return { earned, clawedBack }
}

const later = (one: string, other: string) => (one > other ? one : other)

const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const ofTiers = ({ paid }: Books, decisions: OwnerDecisions) =>
  paid.filter(({ tierSlug }) => tierSlug !== null).map((one) => linesOf(one, decisions))

export function dueTo(
  books: Books,
  decisions: OwnerDecisions,
  { customer, month, today }: { customer: string; month: string; today: string },
): number {
  const lines = ofTiers(books, decisions).flatMap(({ earned, clawedBack }) => [earned, ...clawedBack])
  return sum(
    lines
      .filter((line) => line.customer === customer && line.paymentMonth === month && line.dueOn <= today)
      .map(({ amount }) => amount),
  )
}

export function accountOf(books: Books, decisions: OwnerDecisions, month: string) {
  const lines = ofTiers(books, decisions)
  const account = (isMeant: (of: string) => boolean) => {
    const amountsOf = (entries: readonly { month: string; amount: number }[]) =>
      sum(entries.filter((entry) => isMeant(entry.month)).map(({ amount }) => amount))
    return {
      earned: amountsOf(lines.map(({ earned }) => earned)),
      clawBacks: amountsOf(lines.flatMap(({ clawedBack }) => clawedBack)),
      upSells: amountsOf(decisions.upSells),
      payments: 0 - amountsOf(decisions.payouts),
      reversals: amountsOf(decisions.reversed),
    }
  }
  const total = (sums: Record<string, number>) => sum(Object.values(sums))
  const opening = total(account((of) => of < month))
  const within = account((of) => of === month)
  return { opening, ...within, closing: opening + total(within) }
}
