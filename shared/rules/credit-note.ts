import type { Pence } from './money.ts'
import { noteByRate, vatByRate } from './vat-by-rate.ts'

export type Amounts = { net: Pence; vat: Pence; gross: Pence }

/**
 * The amounts of a credit note over `amount` (including VAT) on an invoice that already has `credited` in credit notes. VAT is
 * split so that an invoice's notes together credit the same share of its VAT as of its gross, half a penny up: partial refunds of
 * the whole add up to the invoice itself. Never more than is left.
 */
export function creditNoteAmounts(invoice: Amounts, credited: Amounts, amount: Pence): Amounts {
  const gross = Math.min(amount, invoice.gross - credited.gross)
  const vat = partOf(invoice.vat, credited.gross + gross, invoice.gross) - credited.vat
  return { net: gross - vat, vat, gross }
}

export const remainingAmounts = (invoice: Amounts, credited: Amounts): Amounts => ({
  net: invoice.net - credited.net,
  vat: invoice.vat - credited.vat,
  gross: invoice.gross - credited.gross,
})

const partOf = (amount: Pence, part: Pence, whole: Pence) =>
  whole === 0 ? 0 : Math.floor((2 * amount * part + whole) / (2 * whole))

type Line = { description: string; rate: number; net: Pence; vat: Pence }
type Invoice = Amounts & { lines: readonly Line[] }
/** `lines`: what it credits in proportion. Null: all lines of its invoice. */
export type Note = Amounts & { lines: Line[] | null }

/**
 * A credit note of `amount` pence (including VAT) after `earlier` ones of the same invoice. The lines a refund names decide its VAT.
 * One that names none is in proportion to what those have left.
 */
export function noteOn(
  invoice: Invoice,
  earlier: readonly Note[],
  { amount, lines }: { amount: Pence; lines: Line[] | null },
): Note {
  const credited = sumOf(earlier)
  if (lines === null && earlier.every((note) => note.lines === null)) {
    return { ...creditNoteAmounts(invoice, credited, amount), lines: null }
  }
  const left = remainingAmounts(invoice, credited)
  const basis = lines ?? leftByRate(invoice, earlier)
  const whole = sumOf(basis.map(({ net, vat }) => ({ net, vat, gross: net + vat })))
  const gross = Math.min(amount, left.gross)
  const vat = Math.max(gross - left.net, Math.min(partOf(whole.vat, gross, whole.gross), left.vat))
  return { net: gross - vat, vat, gross, lines: basis }
}

/** What credit notes have left of an invoice, at each of its rates. */
export function leftByRate({ lines }: Pick<Invoice, 'lines'>, earlier: readonly Note[]): Line[] {
  const credited = earlier.flatMap((note) => noteByRate(note.lines ?? lines, note))
  const left = vatByRate([...lines, ...credited.map(({ rate, net, vat }) => ({ rate, net: 0 - net, vat: 0 - vat }))])
  return left
    .filter(({ net, vat }) => net !== 0 || vat !== 0)
    .map((of) => ({ ...of, description: descriptionAt(lines, of.rate) }))
}

/** Several credit notes of an invoice as one. */
export function together(invoice: Pick<Invoice, 'lines'>, notes: readonly Note[]): Note {
  const lines = notes.flatMap((note) =>
    noteByRate(note.lines ?? invoice.lines, note).map((of) => ({
      ...of,
      description: descriptionAt(note.lines ?? invoice.lines, of.rate),
    })),
  )
  return { ...sumOf(notes), lines: notes.every((note) => note.lines === null) ? null : lines }
}

/** What an invoice's lines at a rate are for. */
export const descriptionAt = (lines: readonly Line[], rate: number): string =>
  [...new Set(lines.filter((line) => line.rate === rate).map(({ description }) => description))].join('; ')

const sumOf = (amounts: readonly Amounts[]): Amounts =>
  amounts.reduce((sum, { net, vat, gross }) => ({ net: sum.net + net, vat: sum.vat + vat, gross: sum.gross + gross }), {
    net: 0,
    vat: 0,
    gross: 0,
  })
