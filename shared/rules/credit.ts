import { taxWithin } from './charge.ts'
import type { Pence } from './money.ts'

/*
 * A customer's balance at Stripe: credit that pays part of their next invoices, or a debt that's added to one. What it came from
 * decides whether it's money or a discount: https://docs.stripe.com/billing/customer/balance#types
 */

export const creditAnswers = ['money', 'goodwill'] as const
export type CreditAnswer = (typeof creditAnswers)[number]

/** The `reason` of a credit note at Stripe that put money back into the balance, or outside Stripe. No card gets it. */
export const noteReasons = { credit: 'credit_note_credit', outside: 'credit_note_outside' } as const

/** Negative is credit, as at Stripe. `invoice` is the one it was made by or taken with. Oldest first. */
export type Movement = { id: string; type: string; amount: Pence; invoice: string | null }

const fromMoney = new Set([
  ...['credit_note', 'invoice_overpaid', 'unspent_receiver_credit'],
  ...['checkout_session_subscription_payment', 'checkout_session_subscription_payment_canceled'],
])
const byHand = new Set(['adjustment', 'initial'])

/** What the type says. Someone put an adjustment there, which counts as goodwill. Null if the type says nothing. */
export const sourceOf = (type: string): CreditAnswer | null =>
  fromMoney.has(type) ? 'money' : byHand.has(type) ? 'goodwill' : null

/** Whether an owner has to say what a credit was: no type tells, or somebody put it there by hand. */
export const isToAnswer = ({ type, amount }: Pick<Movement, 'type' | 'amount'>): boolean =>
  amount < 0 && !fromMoney.has(type) && type !== 'unapplied_from_invoice'

/** What an invoice took from the balance. `debt` was taken with it, and is no part of it. */
export type SetOff = { money: Pence; goodwill: Pence; debt: Pence }
type Source = 'money' | 'goodwill' | 'debt'
type Lot = { source: Source; left: Pence }

/**
 * What each invoice took, the oldest credit first (Devaynes v Noble, 1816). What nothing tells counts as money, so that our invoice
 * is for the whole supply until an owner answers.
 */
export function setOffs(
  movements: readonly Movement[],
  answers: ReadonlyMap<string, CreditAnswer>,
): Map<string, SetOff> {
  const lots: Lot[] = []
  const taken = new Map<string, SetOff>()
  for (const movement of movements) {
    const { id, type, amount, invoice } = movement
    const given = type === 'unapplied_from_invoice' && invoice !== null ? taken.get(invoice) : undefined
    if (given !== undefined && invoice !== null) {
      taken.delete(invoice)
      lots.unshift(...lotsOf(given))
      continue
    }
    const used = takeFrom(lots, amount)
    if (type === 'applied_to_invoice' && invoice !== null) taken.set(invoice, used)
    const rest = Math.abs(amount) - used.money - used.goodwill - used.debt
    if (rest === 0) continue
    const source = amount > 0 ? 'debt' : (answers.get(id) ?? sourceOf(type) ?? 'money')
    lots.push({ source, left: rest })
  }
  return taken
}

const lotsOf = (taken: SetOff): Lot[] =>
  (['money', 'goodwill', 'debt'] as const).flatMap((source) =>
    taken[source] === 0 ? [] : [{ source, left: taken[source] }],
  )

/** A debit takes credit, and a credit settles a debt. */
function takeFrom(lots: Lot[], amount: Pence): SetOff {
  const used = { money: 0, goodwill: 0, debt: 0 }
  let wanted = Math.abs(amount)
  for (const lot of lots) {
    if ((lot.source === 'debt') === amount > 0) continue
    const part = Math.min(lot.left, wanted)
    used[lot.source] += part
    lot.left -= part
    wanted -= part
  }
  return used
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
