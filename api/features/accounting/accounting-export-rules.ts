import type { AccountFormat } from '#shared/contract/accounting.ts'
import type { Cell } from '#shared/rules/csv.ts'
import { noteByRate, vatByRate } from '#shared/rules/vat-by-rate.ts'
import type { AccountingDocument, ExportFormat } from './accounting-export-service.ts'

/*
 * The columns that accounting programs import. If one refuses a file, change its columns here; `accountFileRows` limits the rows
 * per file.
 * Xero: its sales invoice template, prices without VAT, dates day first, 500 invoices a file. The tax type is the rate's full name,
 * and 200 is the sales account in its UK chart of accounts (sblive's guide to Xero, linggardandthomas.co.uk). Credit notes use the
 * same import and file, "as invoices or bills with negative amounts" (Xero's own help,
 * help.xero.com/Help/Accounts_InvoiceImport.htm). Third-party imports for credit notes with positive amounts aren't Xero's.
 * QuickBooks Online: its invoice template for countries with VAT, one row per document. The import creates customers and the
 * product if asked to ("auto create"), and asks for VAT codes and the date format. A missing product becomes Sales. Credit notes
 * have their own import (quickbooks.intuit.com, "How to import credit notes"); its columns are matched by hand, so they have the
 * invoices' names. `20.0% S` is the standard rate there (docs.zynk.com, QuickBooks Online). We name no account, so the product's is
 * used. A journal would name accounts, but reach no VAT return.
 */

/** Where a sale is booked by default: a Xero account code, or a QuickBooks product. */
const usualSales: Record<AccountFormat, string> = {
  xero: '200',
  quickbooks: 'Sales',
  'quickbooks-credit-notes': 'Sales',
}

/** One row for each rate of VAT. */
const ratesOf = ({ document, lines, net, vat }: AccountingDocument) =>
  document === 'Invoice' ? vatByRate(lines) : noteByRate(lines, { net, vat })

const xeroTax = (rate: number) => (rate === 0 ? 'No VAT' : `${rate}% (VAT on Income)`)
const quickbooksTax = (rate: number) => (rate === 0 ? 'No VAT' : rate === 5 ? '5.0% R' : `${rate.toFixed(1)}% S`)

/** Negative amounts go out as numbers: as text they'd get the apostrophe that stops formulas. */
const pounds = (pence: number): Cell => (pence < 0 ? pence / 100 : (pence / 100).toFixed(2))
const britishDay = (day: string) => day.split('-').reverse().join('/')
const nameOf = ({ customer }: AccountingDocument) => customer.businessName || customer.name
function textOf({ lines, document, refersTo }: AccountingDocument, rate: number) {
  const what = lines
    .filter((line) => line.rate === rate)
    .map(({ description }) => description)
    .join('; ')
  return document === 'Invoice' ? what : `Credit of ${refersTo}: ${what}`
}
const signOf = ({ document }: AccountingDocument) => (document === 'Invoice' ? 1 : -1)

export function accountExport(format: AccountFormat, sales = usualSales[format]): ExportFormat {
  if (format === 'xero') return xero(sales)
  return format === 'quickbooks' ? quickbooks('Invoice', sales) : quickbooks('Credit note', sales)
}

const xero = (account: string): ExportFormat => ({
  head: [
    ...['*ContactName', '*InvoiceNumber', '*InvoiceDate', '*DueDate', '*Description'],
    ...['*Quantity', '*UnitAmount', '*AccountCode', '*TaxType', 'TaxAmount'],
  ],
  rowsOf: (document) =>
    ratesOf(document).map(({ rate, net, vat }) => [
      ...[nameOf(document), document.number, britishDay(dayOf(document)), britishDay(dayOf(document))],
      ...[textOf(document, rate), 1, pounds(signOf(document) * net), account],
      ...[xeroTax(rate), pounds(signOf(document) * vat)],
    ]),
})

/** One kind per file, because each has its own import. Both use positive amounts. */
const quickbooks = (kind: AccountingDocument['document'], product: string): ExportFormat => ({
  head: [
    ...(kind === 'Invoice'
      ? ['*InvoiceNo', '*Customer', '*InvoiceDate', '*DueDate']
      : ['*CreditNoteNo', '*Customer', '*CreditNoteDate']),
    ...['Memo', 'Item(Product/Service)', 'ItemDescription', 'ItemQuantity', 'ItemRate', '*ItemAmount'],
    ...['*ItemTaxCode', 'ItemTaxAmount', 'Currency'],
  ],
  rowsOf(document) {
    if (document.document !== kind) return []
    const day = britishDay(dayOf(document))
    return ratesOf(document).map(({ rate, ...of }) => {
      const net = pounds(of.net)
      return [
        ...[document.number, nameOf(document), day, ...(kind === 'Invoice' ? [day] : [])],
        ...[document.refersTo, product, textOf(document, rate), 1, net, net],
        ...[quickbooksTax(rate), pounds(of.vat), 'GBP'],
      ]
    })
  },
})

/** The day on which it counts for VAT. */
const dayOf = ({ taxPoint }: AccountingDocument) => taxPoint
