import type { Pence } from './money.ts'

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
