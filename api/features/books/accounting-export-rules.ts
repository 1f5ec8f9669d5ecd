import type { AccountFormat } from '#shared/contract/books.ts'
import type { Cell } from '#shared/rules/csv.ts'
import type { AccountingDocument, ExportFormat } from './accounting-export-service.ts'

/*
 * The columns that accounting programs import. Should one of them refuse a file, its columns are changed here alone; how many rows a
 * file may have is `accountFileRows`.
 *
 * Xero: the template of sales invoices, prices without VAT, dates day first, 500 invoices a file; the tax type is the rate's name in
 * full, and 200 is the sales account of its chart of accounts for the UK (sblive's guide to Xero, linggardandthomas.co.uk). Credit
 * notes come by the same import, in the same file, "as invoices or bills with negative amounts" (Xero's own help,
 * help.xero.com/Help/Accounts_InvoiceImport.htm); what others sell as an import of credit notes with amounts above nought is their own.
 *
 * QuickBooks Online: its template of invoices for countries with VAT, one row for a document of ours. Customers and the product are
 * made by the import where it is asked to ("auto create"), VAT codes and the way dates are written are chosen while it asks, and a product
 * that is left out is called Sales; credit notes come by an import of their own (quickbooks.intuit.com, "How to import credit notes";
 * its columns are matched by hand, so they are called as those of an invoice). `20.0% S` is the standard rate there (docs.zynk.com,
 * QuickBooks Online). No account is named: the product's is used. A journal, which names accounts, would reach no VAT return.
 */

/** Where a sale is booked, unless the export says otherwise: a code of Xero's accounts, or a product of QuickBooks. */
const usualSales: Record<AccountFormat, string> = {
  xero: '200',
  quickbooks: 'Sales',
  'quickbooks-credit-notes': 'Sales',
}

/** What is below nought goes as a number: as a text it would get the apostrophe that keeps a formula from running. */
const pounds = (pence: number): Cell => (pence < 0 ? pence / 100 : (pence / 100).toFixed(2))
const britishDay = (day: string) => day.split('-').reverse().join('/')
const nameOf = ({ customer }: AccountingDocument) => customer.businessName || customer.name
function textOf({ lines, document, refersTo }: AccountingDocument) {
  const what = lines.map(({ description }) => description).join('; ')
  return document === 'Invoice' ? what : `Credit of ${refersTo}: ${what}`
}
const signOf = ({ document }: AccountingDocument) => (document === 'Invoice' ? 1 : -1)

/** The columns of a program; `sales` is where a sale is booked there. */
export function accountExport(format: AccountFormat, sales = usualSales[format]): ExportFormat {
  if (format === 'xero') return xero(sales)
  return format === 'quickbooks' ? quickbooks('Invoice', sales) : quickbooks('Credit note', sales)
}

const xero = (account: string): ExportFormat => ({
  head: [
    ...['*ContactName', '*InvoiceNumber', '*InvoiceDate', '*DueDate', '*Description'],
    ...['*Quantity', '*UnitAmount', '*AccountCode', '*TaxType', 'TaxAmount'],
  ],
  rowsOf: (document) => [
    [
      ...[nameOf(document), document.number, britishDay(dayOf(document)), britishDay(dayOf(document))],
      ...[textOf(document), 1, pounds(signOf(document) * document.net), account],
      ...[document.vat === 0 ? 'No VAT' : '20% (VAT on Income)', pounds(signOf(document) * document.vat)],
    ],
  ],
})

/** Of one kind, because each has an import of its own; both in amounts above nought. */
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
    const net = pounds(document.net)
    return [
      [
        ...[document.number, nameOf(document), day, ...(kind === 'Invoice' ? [day] : [])],
        ...[document.refersTo, product, textOf(document), 1, net, net],
        ...[document.vat === 0 ? 'No VAT' : '20.0% S', pounds(document.vat), 'GBP'],
      ],
    ]
  },
})

/** The day on which it counts for VAT. */
const dayOf = ({ taxPoint }: AccountingDocument) => taxPoint
