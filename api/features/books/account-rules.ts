import type { ExportedDocument, ExportFormat } from '#api/features/invoices/export-service.ts'
import type { AccountFormat } from '#shared/contract/books.ts'
import type { Cell } from '#shared/rules/csv.ts'

/*
 * The columns that accounting programs import. They come from guides, not from the makers: should one of them refuse a file, its
 * columns are changed here alone. How many rows a file of theirs may have is `accountFileRows`.
 */

const codes = { sales: '200', debtors: 'Accounts Receivable (A/R)', income: 'Sales', vat: 'VAT Control' }

/** What is below nought goes as a number: as a text it would get the apostrophe that keeps a formula from running. */
const pounds = (pence: number): Cell => (pence < 0 ? pence / 100 : (pence / 100).toFixed(2))
const britishDay = (day: string) => day.split('-').reverse().join('/')
const nameOf = ({ customer }: ExportedDocument) => customer.businessName || customer.name
const textOf = ({ lines, document, refersTo }: ExportedDocument) => {
  const what = lines.map(({ description }) => description).join('; ')
  return document === 'Invoice' ? what : `Credit of ${refersTo}: ${what}`
}
const signOf = ({ document }: ExportedDocument) => (document === 'Invoice' ? 1 : -1)

export const accountExports: Record<AccountFormat, ExportFormat> = {
  xero: {
    head: [
      ...['*ContactName', '*InvoiceNumber', '*InvoiceDate', '*DueDate', '*Description'],
      ...['*Quantity', '*UnitAmount', '*AccountCode', '*TaxType', 'TaxAmount'],
    ],
    rowsOf: (document) => [
      [
        ...[nameOf(document), document.number, britishDay(dayOf(document)), britishDay(dayOf(document))],
        ...[textOf(document), 1, pounds(signOf(document) * document.net), codes.sales],
        ...[document.vat === 0 ? 'No VAT' : '20% (VAT on Income)', pounds(signOf(document) * document.vat)],
      ],
    ],
  },
  quickbooks: {
    head: ['*JournalNo', '*JournalDate', '*AccountName', '*Debits', '*Credits', 'Description', 'Name', 'Currency'],
    rowsOf: (document) => {
      const [number, day] = [document.number, britishDay(dayOf(document))]
      const line = (account: string, amount: number, isDebit: boolean): Cell[] => [
        ...[number, day, account, isDebit ? pounds(amount) : null, isDebit ? null : pounds(amount)],
        ...[textOf(document), nameOf(document), 'GBP'],
      ]
      const isInvoice = document.document === 'Invoice'
      return [
        line(codes.debtors, document.gross, isInvoice),
        line(codes.income, document.net, !isInvoice),
        ...(document.vat === 0 ? [] : [line(codes.vat, document.vat, !isInvoice)]),
      ]
    },
  },
}

/** The day on which it counts for VAT. */
const dayOf = ({ taxPoint }: ExportedDocument) => taxPoint
