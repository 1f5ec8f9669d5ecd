import type Stripe from 'stripe'
import type { customerCredits } from '#api/db/schema/provider.ts'
import { type CreditAnswer, type MoneyOf, type SetOff, setOffs } from '#shared/rules/credit.ts'
import type { HasStripe } from './client.ts'
import { idOf, toInstant } from './ids-and-times.ts'

export type CreditState = Omit<typeof customerCredits.$inferSelect, 'customerId' | 'answer'>
/** What we know moved a balance, and what owners said it was, by Stripe's id. */
export type CreditAnswers = ReadonlyMap<string, CreditAnswer | null>
export type Credits = { credits: CreditState[]; taken: ReadonlyMap<string, SetOff> }

type Known = {
  invoices: readonly Stripe.Invoice[]
  answers: CreditAnswers
  hasBalance: boolean
  moneyOf: MoneyOf
}

/** What moved a customer's balance, oldest first, and what each invoice took of it. Asked only for a customer who has had one. */
export async function readCredits(
  { stripe }: HasStripe,
  customer: string,
  { invoices, answers, hasBalance, moneyOf }: Known,
): Promise<Credits> {
  const hadBalance =
    hasBalance ||
    answers.size > 0 ||
    invoices.some(({ starting_balance: before, ending_balance: after }) => before !== 0 || (after ?? 0) !== 0)
  if (!hadBalance) return { credits: [], taken: new Map() }
  const listed = await stripe.customers
    .listBalanceTransactions(customer, { limit: 100 })
    .autoPagingToArray({ limit: 10_000 })
  const moved = listed
    .filter(({ currency }) => currency === 'gbp')
    .map(({ id, type, amount, invoice, created }) => ({
      id,
      type,
      amount,
      invoice: idOf(invoice),
      created: toInstant(created),
    }))
    .reverse()
  const told = new Map<string, number | null>()
  const taken = setOffs(moved, answers, (movement, goodwillOf) => {
    const money = moneyOf(movement, goodwillOf)
    told.set(movement.id, money)
    return money
  })
  return { credits: moved.map((one) => ({ ...one, money: told.get(one.id) ?? null })), taken }
}

/** An invoice's credit notes, the oldest first: what they took off before it was paid, and what they gave back. */
export type NotesOfInvoice = { before: Stripe.CreditNote[]; after: Stripe.CreditNote[] }

export async function readNotes({ stripe }: HasStripe, invoice: Stripe.Invoice): Promise<NotesOfInvoice> {
  const { id, pre_payment_credit_notes_amount: before, post_payment_credit_notes_amount: after } = invoice
  if (id === undefined || (before === 0 && after === 0)) return { before: [], after: [] }
  const listed = await stripe.creditNotes.list({ invoice: id, limit: 100 }).autoPagingToArray({ limit: 1000 })
  const notes = await Promise.all(
    listed
      .filter(({ status }) => status === 'issued')
      .reverse()
      .map(async (note) => ({ ...note, lines: { ...note.lines, data: await linesOf(stripe, note) } })),
  )
  return {
    before: notes.filter(({ pre_payment_amount: amount }) => amount > 0),
    after: notes.filter(({ post_payment_amount: amount }) => amount > 0),
  }
}

/** Stripe only includes the first ten. */
const linesOf = async (stripe: Stripe, { id, lines }: Stripe.CreditNote): Promise<Stripe.CreditNoteLineItem[]> =>
  lines.has_more ? stripe.creditNotes.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 1000 }) : lines.data
