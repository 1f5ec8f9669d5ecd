import type Stripe from 'stripe'
import type { customerCredits } from '#api/db/schema/provider.ts'
import { type CreditAnswer, type SetOff, setOffs } from '#shared/rules/credit.ts'
import type { HasStripe } from './client.ts'
import { idOf, toInstant } from './ids-and-times.ts'

export type CreditState = Pick<typeof customerCredits.$inferSelect, 'id' | 'type' | 'amount' | 'invoice' | 'created'>
/** What we know moved a balance, and what owners said it was, by Stripe's id. */
export type CreditAnswers = ReadonlyMap<string, CreditAnswer | null>
export type Credits = { credits: CreditState[]; taken: ReadonlyMap<string, SetOff> }

type Known = {
  invoices: readonly Stripe.Invoice[]
  answers: CreditAnswers
  hasBalance: boolean
  /** Ids of invoices below nought that are given back from a payment. */
  noted: ReadonlySet<string>
}

/** What moved a customer's balance, oldest first, and what each invoice took of it. Asked only for a customer who has had one. */
export async function readCredits(
  { stripe }: HasStripe,
  customer: string,
  { invoices, answers, hasBalance, noted }: Known,
): Promise<Credits> {
  const hadBalance =
    hasBalance ||
    answers.size > 0 ||
    invoices.some(({ starting_balance: before, ending_balance: after }) => before !== 0 || (after ?? 0) !== 0)
  if (!hadBalance) return { credits: [], taken: new Map() }
  const listed = await stripe.customers
    .listBalanceTransactions(customer, { limit: 100 })
    .autoPagingToArray({ limit: 10_000 })
  const credits = listed
    .filter(({ currency }) => currency === 'gbp')
    .map(({ id, type, amount, invoice, created }) => ({
      ...{ id, type, amount, invoice: idOf(invoice), created: toInstant(created) },
    }))
    .reverse()
  const withNoted = (credit: CreditState) => ({ ...credit, isNoted: noted.has(credit.invoice ?? '') })
  return { credits, taken: setOffs(credits.map(withNoted), answers) }
}

/** What was credited by notes before an invoice was paid, line by line where they name one, and in whole. */
export type NotesOfInvoice = { byLine: ReadonlyMap<string, number>; refunds: Stripe.CreditNote[] }

export async function readNotes({ stripe }: HasStripe, invoice: Stripe.Invoice): Promise<NotesOfInvoice> {
  const { id, pre_payment_credit_notes_amount: before, post_payment_credit_notes_amount: after } = invoice
  if (id === undefined || (before === 0 && after === 0)) return { byLine: new Map(), refunds: [] }
  const listed = await stripe.creditNotes.list({ invoice: id, limit: 100 }).autoPagingToArray({ limit: 1000 })
  const issued = listed.filter(({ status }) => status === 'issued')
  const byLine = new Map<string, number>()
  for (const note of issued.filter(({ pre_payment_amount: amount }) => amount > 0)) {
    for (const line of await linesOf(stripe, note)) {
      const name = line.invoice_line_item
      if (name !== undefined) byLine.set(name, (byLine.get(name) ?? 0) + grossOf(line))
    }
  }
  return { byLine, refunds: issued.filter(({ post_payment_amount: amount }) => amount > 0) }
}

/** Stripe only includes the first ten. */
const linesOf = async (stripe: Stripe, { id, lines }: Stripe.CreditNote): Promise<Stripe.CreditNoteLineItem[]> =>
  lines.has_more ? stripe.creditNotes.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 1000 }) : lines.data

const grossOf = ({ amount, discount_amount: off, taxes }: Stripe.CreditNoteLineItem) =>
  (taxes ?? [])
    .filter(({ tax_behavior: behaviour }) => behaviour === 'exclusive')
    .reduce((sum, tax) => sum + tax.amount, amount - off)
