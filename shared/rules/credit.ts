import type { creditAnswers } from '#shared/values/column-values.ts'
import { taxWithin } from './charge.ts'
import { formatLongDate } from './london.ts'
import { formatPoundsAndPence, type Pence } from './money.ts'

/*
 * A customer's balance at Stripe: credit that pays part of their next invoices, or a debt that's added to one. What it came from
 * decides whether it's money or a discount: https://docs.stripe.com/billing/customer/balance#types
 */

export type CreditAnswer = (typeof creditAnswers)[number]

/** The `reason` of a credit note at Stripe that put money back into the balance, or outside Stripe. No card gets it. */
export const noteReasons = { credit: 'credit_note_credit', outside: 'credit_note_outside' } as const

export const isNoteReason = (reason: string | null): boolean =>
  reason === noteReasons.credit || reason === noteReasons.outside

/**
 * Negative is credit, as at Stripe. `invoice` is the one it was made by or taken with. `money`: how much of it is, where the payment
 * it gives back tells. Oldest first.
 */
export type Movement = { id: string; type: string; amount: Pence; invoice: string | null; money?: Pence | null }

/** How much of a credit is money. `goodwillOf`: what a payment took of it. Null where no payment tells. */
export type MoneyOf = (movement: Movement, goodwillOf: (invoice: string) => Pence) => Pence | null

const asKnown: MoneyOf = ({ money = null }) => money

const fromMoney = new Set([
  ...['credit_note', 'invoice_overpaid', 'unspent_receiver_credit'],
  ...['checkout_session_subscription_payment', 'checkout_session_subscription_payment_canceled'],
])
/** Nobody is asked about these. */
export const toldTypes: readonly string[] = [...fromMoney, 'unapplied_from_invoice']
const byHand = new Set(['adjustment', 'initial'])

/** What the type says. Someone put an adjustment there, which counts as goodwill. Null if the type says nothing. */
const sourceOf = (type: string): CreditAnswer | null =>
  fromMoney.has(type) ? 'money' : byHand.has(type) ? 'goodwill' : null

/** Whether an owner has to say what a credit was: no type tells, or somebody put it there by hand. */
const isUntold = ({ type, money = null }: Movement): boolean => money === null && !toldTypes.includes(type)

/** What an invoice took from the balance. `debt` was taken with it, and is no part of it. */
export type SetOff = { money: Pence; goodwill: Pence; debt: Pence }
type Source = 'money' | 'goodwill' | 'debt'
/** `amount` is what was put there and not undone by hand, `left` what no invoice has taken. */
type Lot = { id: string; source: Source; amount: Pence; left: Pence }
type Part = { lot: Lot; amount: Pence }
type Answers = ReadonlyMap<string, CreditAnswer | null>

/**
 * What each invoice took, the oldest credit first (Devaynes v Noble, 1816). What nothing tells counts as money, so that our invoice
 * is for the whole supply until an owner answers.
 */
export function setOffs(
  movements: readonly Movement[],
  answers: Answers,
  moneyOf: MoneyOf = asKnown,
): Map<string, SetOff> {
  const { taken } = readLots(movements, answers, moneyOf)
  return new Map([...taken].map(([invoice, parts]) => [invoice, sumOf(parts)]))
}

/** Something owners look at. `counts` is how invoices treat it; a debit is on none of ours. `takenBy`: the last invoice that took of it. */
export type Named = { id: string; amount: Pence; counts: CreditAnswer | 'debit'; takenBy: string | null }

/** Credit whose type says nothing or that somebody put there, and debits that were taken with an invoice. Oldest first. */
export function toName(movements: readonly Movement[], answers: Answers): Named[] {
  const { lots, taken } = readLots(movements, answers, asKnown)
  const untold = new Set(movements.flatMap((one) => (isUntold(one) ? [one.id] : [])))
  const takers = new Map([...taken].flatMap(([invoice, parts]) => parts.map(({ lot }) => [lot.id, invoice] as const)))
  return lots.flatMap(({ id, source, amount }) => {
    const takenBy = takers.get(id) ?? null
    const isMeant = source === 'debt' ? takenBy !== null : untold.has(id)
    if (!isMeant || amount === 0) return []
    return [{ id, amount, counts: source === 'debt' ? 'debit' : source, takenBy }]
  })
}

type Told = Pick<Named, 'amount' | 'counts'> & {
  type: string
  createdAt: string
  answer: CreditAnswer | null
  takenAt: string | null
}

/** For owners: what's on a member's balance, and how invoices treat it. */
export function creditText({ type, amount, counts, createdAt, answer, takenAt }: Told): string {
  const [sum, day] = [formatPoundsAndPence(amount), formatLongDate(createdAt)]
  if (counts === 'debit') {
    const taken = takenAt === null ? '' : ` on ${formatLongDate(takenAt)}`
    return `They paid a debit of ${sum} at Stripe with a month’s payment${taken}. It isn’t on any of your invoices.`
  }
  if (answer !== null) return `${sum} of credit from ${day}. You said it was ${counts}.`
  if (byHand.has(type))
    return `Someone added ${sum} to their balance at Stripe on ${day}. It counts as ${counts} until you say it was money.`
  return `Stripe doesn’t say where ${sum} of credit from ${day} came from. It counts as ${counts} until you say.`
}

function readLots(movements: readonly Movement[], answers: Answers, moneyOf: MoneyOf) {
  const lots: Lot[] = []
  const taken = new Map<string, Part[]>()
  const goodwillOf = (invoice: string) => sumOf(taken.get(invoice) ?? []).goodwill
  for (const movement of movements) {
    const { id, type, amount, invoice } = movement
    const given = type === 'unapplied_from_invoice' && invoice !== null ? taken.get(invoice) : undefined
    if (given !== undefined && invoice !== null) {
      taken.delete(invoice)
      for (const part of given) part.lot.left += part.amount
      continue
    }
    const told = amount < 0 ? moneyOf(movement, goodwillOf) : null
    const parts = takeFrom(lots, amount)
    if (type === 'applied_to_invoice' && invoice !== null) taken.set(invoice, parts)
    else for (const part of parts) part.lot.amount -= part.amount
    const rest = parts.reduce((left, part) => left - part.amount, Math.abs(amount))
    if (rest === 0) continue
    const of = (source: Source, part: Pence): Lot => ({ id, source, amount: part, left: part })
    if (amount > 0) lots.push(of('debt', rest))
    else if (told === null) lots.push(of(answers.get(id) ?? sourceOf(type) ?? 'money', rest))
    else lots.push(...partlyMoney(rest, told).map(([source, part]) => of(source, part)))
  }
  return { lots, taken }
}

function partlyMoney(amount: Pence, told: Pence): [Source, Pence][] {
  const money = Math.min(amount, told)
  const parts: [Source, Pence][] = [
    ['money', money],
    ['goodwill', amount - money],
  ]
  return parts.filter(([, part]) => part > 0)
}

/** A debit takes credit, and a credit settles a debt. */
function takeFrom(lots: readonly Lot[], amount: Pence): Part[] {
  const parts: Part[] = []
  let wanted = Math.abs(amount)
  for (const lot of lots) {
    const part = Math.min(lot.left, wanted)
    if (part === 0 || (lot.source === 'debt') === amount > 0) continue
    parts.push({ lot, amount: part })
    lot.left -= part
    wanted -= part
  }
  return parts
}

function sumOf(parts: readonly Part[]): SetOff {
  const sum = { money: 0, goodwill: 0, debt: 0 }
  for (const { lot, amount } of parts) sum[lot.source] += amount
  return sum
}

type Line = { net: Pence; vat: Pence; rate: number }
const grossOf = ({ net, vat }: Line) => net + vat

/** A line for less, its VAT at its own rate. Its unit price stays, so that the difference is printed as a discount. */
export function reducedLine<Kind extends Line>(line: Kind, off: Pence): Kind {
  if (off === 0) return line
  const gross = grossOf(line) - off
  const vat = taxWithin(gross, line.rate)
  return { ...line, net: gross - vat, vat }
}

/** Takes an amount (including VAT) off an invoice's lines in proportion. Their sum is then exactly that much less. */
export function reducedLines<Kind extends Line>(lines: readonly Kind[], off: Pence): Kind[] {
  const whole = lines.reduce((sum, line) => sum + Math.max(0, grossOf(line)), 0)
  let [seen, given] = [0, 0]
  return lines.map((line) => {
    const gross = Math.max(0, grossOf(line))
    seen += gross
    const until = whole === 0 ? 0 : Math.floor((off * seen) / whole)
    const part = until - given
    given = until
    return reducedLine(line, part)
  })
}
