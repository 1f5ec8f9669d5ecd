import type { Pence } from './money.ts'
import { inProportion, noteByRate, type RateSum, vatByRate } from './vat-by-rate.ts'

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
 * A credit note of `amount` pence (including VAT) after `earlier` ones of the same invoice. The lines a refund names decide its VAT,
 * as far as their rates have something left; other rates give the rest. One that names none is in proportion to what's left.
 */
export function noteOn(
  invoice: Invoice,
  earlier: readonly Note[],
  { amount, lines }: { amount: Pence; lines: Line[] | null },
): Note {
  const credited = sumOf(earlier)
  const left = leftByRate(invoice, earlier)
  if (lines === null && earlier.every((note) => note.lines === null)) {
    const plain = creditNoteAmounts(invoice, credited, amount)
    if (noteByRate(invoice.lines, plain).every((part) => isLeft(part, left))) return { ...plain, lines: null }
  }
  const parts = partsOf(Math.min(amount, remainingAmounts(invoice, credited).gross), lines ?? left, left)
  return { ...sumOf(parts.map(({ net, vat }) => ({ net, vat, gross: net + vat }))), lines: parts }
}

/** `gross` at each rate, in proportion to what's named there and within what's left. */
function partsOf(gross: Pence, named: readonly Line[], left: readonly Line[]): Line[] {
  const wanted = vatByRate(named).map((of) => ({ ...of, description: descriptionAt(named, of.rate) }))
  const rates = [...wanted, ...left.filter(({ rate }) => wanted.every((one) => one.rate !== rate))]
  const most = rates.map(({ rate }) => grossOf(lineAt(left, rate)))
  const asked = inProportion(gross, wanted.map(grossOf))
  const given = most.map((of, index) => clamp(asked[index] ?? 0, 0, of))
  const rest = given.reduce((sum, part) => sum - part, gross)
  const room = most.map((of, index) => (rest > 0 ? Math.max(0, of) : Math.min(0, of)) - (given[index] ?? 0))
  const others = inProportion(rest, room)
  return rates.flatMap((of, index) => {
    const part = (given[index] ?? 0) + (others[index] ?? 0)
    const has = lineAt(left, of.rate)
    if (part === 0 || has === undefined) return []
    const vat = clamp(partOf(of.vat, part, grossOf(of)), part - has.net, has.vat)
    return [{ ...of, net: part - vat, vat }]
  })
}

function isLeft({ rate, net, vat }: RateSum, left: readonly Line[]): boolean {
  const of = lineAt(left, rate) ?? { net: 0, vat: 0 }
  return clamp(net, 0, of.net) === net && clamp(vat, 0, of.vat) === vat
}

const lineAt = (lines: readonly Line[], rate: number) => lines.find((line) => line.rate === rate)
const grossOf = (line?: RateSum) => (line === undefined ? 0 : line.net + line.vat)

/** The bounds in either order: what an invoice's rate gives back may be below nought. */
const clamp = (value: Pence, one: Pence, other: Pence) =>
  Math.min(Math.max(value, Math.min(one, other)), Math.max(one, other))

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
