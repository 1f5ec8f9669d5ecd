import type Stripe from 'stripe'
import type { providerRefunds } from '#api/db/schema/provider.ts'
import { type MoneyOf, noteReasons } from '#shared/rules/credit.ts'
import { idOf, toInstant } from './ids-and-times.ts'
import type { NotesOfInvoice } from './read-credits.ts'

export type RefundState = Omit<typeof providerRefunds.$inferSelect, 'customerId' | 'failedAt' | 'waitsForFix'>

export const subscriptionOf = ({ parent }: Pick<Stripe.Invoice, 'parent'>) =>
  idOf(parent?.subscription_details?.subscription)

type Billed = {
  invoices: readonly Stripe.Invoice[]
  /** By card, of those invoices. */
  refunds: readonly RefundState[]
  notes: ReadonlyMap<string, NotesOfInvoice>
}

/** What's known while the balance's movements are read in their order. */
type Reading = Billed & {
  /** What went back of which payment, at what time. */
  back: { invoice: string; amount: number; at: string }[]
  /** What of a note's credit was money. */
  moneyByNote: Map<string, number>
  credited: RefundState[]
}

type GoodwillOf = (invoice: string) => number

/**
 * What invoices gave back other than by card. What goes back into the balance is money as far as its payment was, and goodwill
 * beyond that: `moneyOf` tells, asked in the order of the balance's movements, and `rows` is complete once it was.
 */
export function refundedOtherwise(billed: Billed) {
  const { invoices, refunds, notes } = billed
  const byId = new Map(invoices.map((invoice) => [invoice.id ?? '', invoice]))
  const after = [...notes.values()].flatMap((ofInvoice) => ofInvoice.after)
  const byMovement = new Map(after.map((note) => [idOf(note.customer_balance_transaction), note]))
  const outside = after.flatMap((note) => {
    const { out_of_band_amount: amount, created } = note
    return amount ? [{ invoice: idOf(note.invoice) ?? '', amount, at: toInstant(created) }] : []
  })
  const byCard = refunds
    .filter(({ status }) => status === 'succeeded')
    .map(({ providerInvoiceId: invoice, amount, created: at }) => ({ invoice, amount, at }))
  const reading: Reading = { ...billed, back: [...byCard, ...outside], moneyByNote: new Map(), credited: [] }
  const { moneyByNote, credited } = reading
  const moneyOf: MoneyOf = ({ id, amount, invoice }, goodwillOf) => {
    const found = byId.get(invoice ?? '')
    const note = byMovement.get(id)
    if (found === undefined) return null
    if (note !== undefined) {
      const money = take(reading, found, { amount: 0 - amount, at: toInstant(note.created), goodwillOf })
      moneyByNote.set(note.id, money)
      return money
    }
    const isBelow = found.status === 'paid' && found.total < 0 && subscriptionOf(found) !== null
    return isBelow ? credit(reading, found, goodwillOf) : null
  }
  const rows = () => [...after.flatMap((note) => rowOfNote(note, moneyByNote.get(note.id))), ...credited]
  return { moneyOf, rows }
}

type Wanted = { amount: number; at: string; goodwillOf: GoodwillOf }

/** As much as is left of what the payment was in money. */
function take({ back }: Reading, payment: Stripe.Invoice, { amount: wanted, at, goodwillOf }: Wanted): number {
  const { id: invoice = '', total, pre_payment_credit_notes_amount: off } = payment
  const left = back
    .filter((one) => one.invoice === invoice && one.at <= at)
    .reduce((rest, one) => rest - one.amount, Math.max(0, total - off - goodwillOf(invoice)))
  const amount = Math.max(0, Math.min(wanted, left))
  back.push({ invoice, amount, at })
  return amount
}

/**
 * An invoice below nought, such as a pause's or a cheaper tier's, puts what it credits into the balance. It's given back from the
 * newest payment before it, then from the others whose time isn't over (an upgrade's month), as far as nothing else has been by
 * then. What's over has come from no payment.
 */
function credit(reading: Reading, invoice: Stripe.Invoice, goodwillOf: GoodwillOf): number | null {
  const { id = '', total, created } = invoice
  const subscription = subscriptionOf(invoice)
  const before = reading.invoices.filter(
    (one) => one.status === 'paid' && one.total > 0 && one.created <= created && subscriptionOf(one) === subscription,
  )
  const at = toInstant(created)
  const payments = before.filter((one, index) => index === 0 || runsAt(one, created))
  let left = 0 - total
  let row = id
  for (const payment of payments) {
    const amount = take(reading, payment, { amount: left, at, goodwillOf })
    if (amount === 0) continue
    reading.credited.push(
      toRow({ id: row, providerInvoiceId: payment.id ?? '', amount, reason: noteReasons.credit, at }),
    )
    left -= amount
    row = `${id}:${payment.id}`
  }
  const goodwill = payments.reduce((sum, payment) => sum + goodwillOf(payment.id ?? ''), 0)
  return left + total === 0 && goodwill === 0 ? null : 0 - total - Math.min(left, goodwill)
}

/** `money`: what of its credit was. */
function rowOfNote(note: Stripe.CreditNote, money: number | undefined): RefundState[] {
  const byCard = note.refunds.reduce((sum, { amount_refunded: amount }) => sum + amount, 0)
  const other = note.post_payment_amount - byCard
  const credit = other - (note.out_of_band_amount ?? 0)
  const amount = other - credit + (money ?? credit)
  if (amount <= 0) return []
  const reason = note.customer_balance_transaction === null ? noteReasons.outside : noteReasons.credit
  const providerInvoiceId = idOf(note.invoice) ?? ''
  return [toRow({ id: note.id, providerInvoiceId, amount, reason, at: toInstant(note.created) })]
}

const toRow = ({
  at,
  ...row
}: Pick<RefundState, 'id' | 'providerInvoiceId' | 'amount' | 'reason'> & { at: string }) => ({
  ...row,
  status: 'succeeded' as const,
  lines: null,
  created: at,
})

const runsAt = ({ lines }: Stripe.Invoice, at: number) => lines.data.some(({ period }) => period.end > at)
