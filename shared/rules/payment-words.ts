import type { NextPayment, WaitingMembership } from '#shared/contract/billing.ts'
import { formatLongDate } from './london.ts'
import { formatPoundsAndPence, type Pence, type Price } from './money.ts'
import { type Period, periodWord } from './price-words.ts'

/** £300.00 (£250.00 + £50.00 VAT) */
export const priceText = ({ net, vat, total }: Price): string =>
  `${formatPoundsAndPence(total)} (${formatPoundsAndPence(net)} + ${formatPoundsAndPence(vat)} VAT)`

type Paid = { total: Pence; fromCredit: Pence; paidBy: string | null }

/** £100.00 from your credit, £200.00 by card. `paidBy`: Stripe's type of what paid the rest; null if there's no one word for it. */
export function paidFromCredit({ total, fromCredit, paidBy }: Paid): string {
  const rest = total - fromCredit
  const credit = `${formatPoundsAndPence(fromCredit)} from your credit`
  return rest <= 0 ? credit : `${credit}, ${formatPoundsAndPence(rest)} ${ways[paidBy ?? ''] ?? 'paid'}`
}

const ways: Record<string, string> = {
  card: 'by card',
  link: 'by card',
  card_present: 'by card',
  bacs_debit: 'by Direct Debit',
  sepa_debit: 'by Direct Debit',
  customer_balance: 'by bank transfer',
  pay_by_bank: 'by bank transfer',
}

/** What was paid with an old debt, which isn't on the invoice: £195.00 paid, £15.00 of it owed from before. */
export const fromBeforeText = ({ total, fromBefore }: { total: Pence; fromBefore: Pence }): string =>
  `${formatPoundsAndPence(total + fromBefore)} paid, ${formatPoundsAndPence(fromBefore)} of it owed from before`

type Owed = { total: Pence; due?: Pence; fromCredit?: Pence }

/** What's left to pay of an open invoice. A phone may have kept one from before `due` was sent. */
export const dueOf = ({ total, due = total }: Owed): Pence => due

/** The price with its VAT, or the sum alone where credit or an old debt makes it another than the period's. */
export const dueText = (owed: Price & { due?: Pence | undefined }): string =>
  dueOf(owed) === owed.total ? priceText(owed) : formatPoundsAndPence(dueOf(owed))

type Untaken = Record<'free' | 'credit' | 'none', string>

/** Why nothing's taken: it's free, credit pays for it, or there's nothing to pay and what's over stays as credit. No full stop. */
export function untakenText({ total, fromCredit, toCredit = 0 }: NextPayment, { free, credit, none }: Untaken): string {
  if (fromCredit > 0) return credit
  if (total === 0) return free
  return toCredit === 0 ? none : `${none}. ${formatPoundsAndPence(toCredit)} stays as credit`
}

/** We’ll take £300.00 (£250.00 + £50.00 VAT) on 12 July 2026. For the member, or for owners about them. `period`: what it’s for. */
export function nextText(next: NextPayment, whose: 'Your' | 'Their' = 'Your', period: Period | null = {}): string {
  const day = formatLongDate(next.on)
  if (next.due > 0) return `We’ll take ${dueText(next)} on ${day}.`
  return `${untakenText(next, { free: `The ${periodWord(period ?? {})} from ${day} is free`, credit: `${whose} credit covers the payment on ${day}`, none: `Nothing to pay on ${day}` })}.`
}

/**
 * What's collected where a membership ends: We’ll take one last payment of £48.00 that day. `none`: what to say where nothing is,
 * without a full stop.
 */
export function lastPaymentText(
  next: NextPayment | null | undefined,
  { none = 'We won’t take another payment', when = 'that day', whose = 'Your', then }: LastPaymentWords = {},
): string {
  if (then !== undefined) {
    const start = waitingText(then, whose)
    return next && next.due > 0 ? `${lastPaymentText(next, { when, whose })} ${start}` : start
  }
  if (!next) return `${none}.`
  const rest = next.fromCredit > 0 ? ` Another ${formatPoundsAndPence(next.fromCredit)} comes from credit.` : ''
  if (next.due > 0) return `We’ll take one last payment of ${formatPoundsAndPence(next.due)} ${when}.${rest}`
  const credit = `${whose} credit pays for one last payment ${when}, ${formatPoundsAndPence(next.fromCredit)}`
  return `${untakenText(next, { free: none, credit, none })}.`
}

/** We’ll take £540.00 on 10 February 2027, when your membership starts. */
export function waitingText({ on, payment }: WaitingMembership, whose: 'Your' | 'Their' = 'Your'): string {
  const day = formatLongDate(on)
  return payment === undefined || payment.due === 0
    ? `${whose} next membership starts on ${day}.`
    : `We’ll take ${formatPoundsAndPence(payment.due)} on ${day}, when ${whose.toLowerCase()} next membership starts.`
}

/** `then`: what starts later, after which `none` would be untrue. */
type LastPaymentWords = {
  none?: string
  when?: string
  whose?: 'Your' | 'Their'
  then?: WaitingMembership | undefined
}

/** £100.00 from your credit, £200.00 to pay. Null where the total is to pay. */
export function toPayText(owed: Owed): string | null {
  const [due, { total, fromCredit = 0 }] = [dueOf(owed), owed]
  if (due === total) return null
  const toPay = `${formatPoundsAndPence(due)} to pay`
  if (fromCredit > 0) return `${formatPoundsAndPence(fromCredit)} from your credit, ${toPay}.`
  return due > total ? `${toPay}, ${formatPoundsAndPence(due - total)} of it from before.` : `${toPay}.`
}
