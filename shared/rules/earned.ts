import type { Bridge, Earned, EarnedLine } from '#shared/contract/earned.ts'
import { formatPoundsAndPence, type Pence } from './money.ts'

/**
 * Adds up months, oldest first. If we don’t know something for one month, we don’t know it for the sum. `forLater` is no sum: a
 * month’s may be for another in the period.
 */
export function sumOfEarned(period: string, months: readonly EarnedLine[], forLater = 0): EarnedLine {
  const sum = (part: 'taken' | 'refunded' | 'vat' | 'commission' | 'offInvoices' | 'offCredits') =>
    months.reduce((total, month) => total + month[part], 0)
  const bridges = months.map(({ bridge }) => bridge).filter((bridge) => bridge !== null)
  const bridge = bridges.length === months.length ? joined(bridges) : null
  const known = { taken: sum('taken'), refunded: sum('refunded'), vat: sum('vat'), commission: sum('commission') }
  return {
    period,
    ...known,
    ...whatsLeft(known, bridge),
    offInvoices: sum('offInvoices'),
    offCredits: sum('offCredits'),
    forLater,
    bridge,
  }
}

type Known = Pick<EarnedLine, 'taken' | 'refunded' | 'vat' | 'commission'>

export function whatsLeft(
  { taken, refunded, vat, commission }: Known,
  bridge: Bridge | null,
): Pick<EarnedLine, 'fees' | 'left'> {
  if (bridge === null) return { fees: null, left: null }
  return { fees: bridge.fees, left: taken - refunded - vat - bridge.fees - commission }
}

function joined(bridges: readonly Bridge[]): Bridge | null {
  const [first, last] = [bridges[0], bridges.at(-1)]
  if (first === undefined || last === undefined) return null
  const sum = (part: keyof Bridge) => bridges.reduce((total, bridge) => total + bridge[part], 0)
  return {
    before: first.before,
    after: last.after,
    taken: sum('taken'),
    refunded: sum('refunded'),
    fees: sum('fees'),
    disputes: sum('disputes'),
    other: sum('other'),
    paidOut: sum('paidOut'),
  }
}

/** The bridge line by line, each with the sign it has in the sum. */
export const bridgeLines = (bridge: Bridge): { label: string; amount: Pence }[] => [
  { label: 'Opening balance', amount: bridge.before },
  { label: 'Taken', amount: bridge.taken },
  { label: 'Refunded', amount: 0 - bridge.refunded },
  { label: 'Stripe’s fees', amount: 0 - bridge.fees },
  { label: 'Disputes', amount: bridge.disputes },
  ...(bridge.other === 0 ? [] : [{ label: 'Top-ups and corrections', amount: bridge.other }]),
  { label: 'Paid out to your bank', amount: 0 - bridge.paidOut },
]

/** Says where the day money moved and the tax point are in different periods, where we haven’t read Stripe’s side yet, or what’s paid ahead. */
export function timingNotes({ offInvoices, offCredits, forLater }: EarnedLine): string[] {
  const pounds = (amount: Pence) => formatPoundsAndPence(Math.abs(amount))
  return [
    offInvoices > 0 ? `${pounds(offInvoices)} came in, but its tax point is in another period.` : '',
    offInvoices < 0 ? `${pounds(offInvoices)} was invoiced, but isn’t in this period’s payments at Stripe.` : '',
    offCredits > 0 ? `${pounds(offCredits)} was refunded, but its credit note is in another period.` : '',
    offCredits < 0 ? `${pounds(offCredits)} was credited, but isn’t in this period’s refunds at Stripe.` : '',
    forLater > 0 ? `${pounds(forLater)} of what you took, without VAT, is for later months.` : '',
  ].filter(Boolean)
}

/** Whether our sum of all transactions is Stripe’s own balance. */
export function balanceSentence({ balance }: Earned): { isEqual: boolean; text: string } {
  if (balance === null) return { isEqual: true, text: 'We check your balance at Stripe every night.' }
  const { ours, stripe } = balance
  if (ours === stripe) return { isEqual: true, text: `Stripe says ${formatPoundsAndPence(stripe)} too.` }
  const off = formatPoundsAndPence(Math.abs(ours - stripe))
  return { isEqual: false, text: `Stripe says ${formatPoundsAndPence(stripe)}. That’s ${off} different.` }
}
