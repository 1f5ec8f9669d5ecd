import type Stripe from 'stripe'
import type { CreditedLine, InvoiceLine } from '#api/db/schema/provider.ts'
import { reducedLines } from '#shared/rules/credit.ts'
import { idOf } from './ids-and-times.ts'
import type { ReadLine } from './read-lines.ts'

/** Pence with VAT, and which of an invoice's lines they are taken off. */
type Named = { gross: number; isMeant(line: ReadLine): boolean }

/** A credit note's line names one of the invoice's, or those at its tax rate. Any other is about all of them. */
export const namedByNote = ({ lines }: Stripe.CreditNote): Named[] =>
  lines.data.map((line) => {
    const rate = line.tax_rates.reduce((sum, { percentage }) => sum + percentage, 0)
    const isMeant = ({ line: { id }, rate: own }: ReadLine) =>
      line.invoice_line_item === undefined ? line.tax_rates.length === 0 || own === rate : id === line.invoice_line_item
    return { gross: grossOf(line), isMeant }
  })

/** An invoice below nought credits what's at the same price, or is for a tier. */
export const namedByCredit = (read: readonly ReadLine[]): Named[] =>
  read.map(({ line, net, vat, tierSlug }) => {
    const price = priceOf(line)
    const isMeant = (one: ReadLine) =>
      price === null || (tierSlug === undefined ? priceOf(one.line) === price : one.tierSlug !== undefined)
    return { gross: 0 - net - vat, isMeant }
  })

const priceOf = ({ pricing }: Stripe.InvoiceLineItem) => idOf(pricing?.price_details?.price)

type Lines = { read: readonly ReadLine[]; lines: readonly InvoiceLine[] }

/** The lines less what's named of them. Null if it names none in particular, or more than there is. */
export function lessNamed({ read, lines }: Lines, given: readonly Named[]): InvoiceLine[] | null {
  const named = given.map((one) => (read.some(one.isMeant) ? one : { ...one, isMeant: () => true }))
  if (named.every(({ isMeant }) => read.every(isMeant))) return null
  let left = [...lines]
  for (const { gross, isMeant } of named) {
    const own = read.map((line, at) => (isMeant(line) ? left[at] : undefined))
    const reduced = reducedLines(
      own.filter((line) => line !== undefined),
      gross,
    )
    left = left.map((line, at) => (own[at] === undefined ? line : (reduced.shift() ?? line)))
  }
  const isWithin = left.every(({ net, vat }, at) => net + vat >= 0 || (lines[at]?.net ?? 0) < 0)
  const taken = sumOf(lines.map(({ net, vat }) => net + vat)) - sumOf(left.map(({ net, vat }) => net + vat))
  return isWithin && taken === sumOf(named.map(({ gross }) => gross)) ? left : null
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

/** What was taken off, line by line. */
export const creditedLines = (lines: readonly InvoiceLine[], left: readonly InvoiceLine[]): CreditedLine[] =>
  lines.flatMap(({ description, rate, tierSlug, net, vat }, at) => {
    const off = { net: net - (left[at]?.net ?? 0), vat: vat - (left[at]?.vat ?? 0) }
    const credited = { description, rate, ...off, ...(tierSlug === undefined ? {} : { tierSlug }) }
    return off.net === 0 && off.vat === 0 ? [] : [credited]
  })

const grossOf = ({ amount, discount_amount: off, taxes }: Stripe.CreditNoteLineItem) =>
  (taxes ?? [])
    .filter(({ tax_behavior: behaviour }) => behaviour === 'exclusive')
    .reduce((sum, tax) => sum + tax.amount, amount - off)
