import * as v from 'valibot'
import { usageError } from '#cli/exit-codes.ts'
import { fileRow } from '#cli/file-rows.ts'
import { write } from '#cli/io.ts'
import { dayLabel, emptyLabel } from '#cli/labels.ts'
import {
  csvOfRows,
  isForScript,
  type Output,
  recordOutput,
  reportOutput,
  sectionsOutput,
  tableWithRows,
} from '#cli/output.ts'
import { parseArgument, request, requireText } from '#cli/request.ts'
import { type Call, changeRow, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import {
  CreditInvoiceRequest,
  CreditInvoiceResponse,
  InvoiceDetail,
  InvoiceLint,
  type InvoiceProblem,
} from '#shared/contract/accounting.ts'
import { discountText, formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'

const refOf = ({ argument }: Call) =>
  encodeURIComponent(requireText(argument(0), 'Enter an invoice number, such as A-000042.'))

const show = showRow({
  usage: 'show <number>',
  description: 'Show an invoice in full, with what happened to it',
  examples: ['show A-000042', 'show A-000042 --json gross,credited'],
  read(call) {
    const ref = refOf(call)
    return ({ api }) => request(InvoiceDetail, api.admin.invoice({ ref }).get())
  },
  output: invoiceOutput,
})

/** What the invoice line says: without its discount a line doesn't add up to its net. */
function suppliedText({ description, quantity, unitPrice, net }: InvoiceDetail['lines'][number]): string {
  const discount = discountText(quantity * unitPrice, net)
  return discount === null ? description : `${description}. ${discount}`
}

const linesTable: Table<InvoiceDetail['lines'][number]> = {
  title: 'Lines',
  empty: 'No lines.',
  columns: [
    { title: 'SUPPLIED', text: suppliedText, minWidth: 16 },
    { title: 'QTY', text: ({ quantity }) => String(quantity), align: 'right', dropOrder: 2 },
    { title: 'UNIT', text: ({ unitPrice }) => formatPoundsAndPence(unitPrice), align: 'right', dropOrder: 1 },
    { title: 'NET', text: ({ net }) => formatPoundsAndPence(net), align: 'right' },
    { title: 'RATE', text: ({ rate }) => `${rate}%`, align: 'right' },
    { title: 'VAT', text: ({ vat }) => formatPoundsAndPence(vat), align: 'right' },
  ],
  csv: csvFields(['description', 'quantity', 'unitPrice', 'net', 'rate', 'vat']),
}

export function invoiceOutput(invoice: InvoiceDetail): Output {
  const { customer, seller, credited, problems, creditNotes } = invoice
  const details: Detail[] = [
    { label: 'Number', value: invoice.number },
    { label: 'Issued', value: dayLabel(invoice.issuedOn) },
    { label: 'Tax point', value: dayLabel(invoice.taxPoint) },
    { label: 'Seller', value: [seller.name, seller.address, seller.vatNumber].join(', ') },
    { label: 'Customer', value: [customer.name, customer.businessName, customer.address].filter(Boolean).join(', ') },
    { label: 'Net', value: formatPoundsAndPence(invoice.net) },
    { label: 'VAT', value: formatPoundsAndPence(invoice.vat) },
    { label: 'Total', value: formatPoundsAndPence(invoice.gross) },
    {
      label: 'Credited',
      value:
        creditNotes.length === 0 ? emptyLabel : `${formatPoundsAndPence(credited.gross)} by ${creditNotes.join(', ')}`,
    },
    ...(invoice.replaces === null ? [] : [{ label: 'Replaces', value: invoice.replaces }]),
    ...(invoice.replacedBy === null ? [] : [{ label: 'Replaced by', value: invoice.replacedBy }]),
    { label: 'Payment', value: invoice.payment ?? emptyLabel, tone: 'muted' },
    ...problems.map((problem): Detail => ({ label: 'Problem', value: problem, tone: 'error' })),
  ]
  return sectionsOutput({ json: invoice, csv: () => csvOfRows(linesTable.csv, invoice.lines) }, [
    { title: 'Invoice', details },
    { title: linesTable.title, table: tableWithRows(linesTable, invoice.lines) },
  ])
}

/** A terminal would print bytes that mean nothing, and obey some. */
const pdf = fileRow({
  usage: 'pdf <number>',
  description: 'Save an invoice as a PDF',
  examples: ['pdf A-000042 > A-000042.pdf'],
  write(call) {
    const { io, options } = call
    const ref = refOf(call)
    if (isForScript(options)) throw usageError('A PDF can’t be JSON or CSV.')
    if (io.isTTY.stdout) throw usageError(`A PDF goes into a file: add > ${call.argument(0)}.pdf`)
    return async ({ api }) =>
      write(io.stdout, await request(v.instance(Uint8Array), api.admin.invoice({ ref }).pdf.get()))
  },
})

const problemsTable: Table<InvoiceProblem> = {
  title: 'Problems',
  empty: 'No problems found.',
  columns: [
    { title: 'DOCUMENT', text: ({ document }) => document },
    { title: 'PROBLEM', text: ({ problem }) => problem, minWidth: 30 },
    { title: 'FIX', text: ({ fix }) => fix ?? emptyLabel, dropOrder: 1, tone: () => 'muted' },
  ],
  csv: csvFields(['document', 'problem', 'fix']),
}

/** Exits as failed if there's a problem, so that cron notices. */
const lint = showRow({
  usage: 'lint',
  description: 'Check the last four years’ invoices: details, numbering, the 30 days and the amount Stripe took',
  examples: ['lint', 'lint --csv > problems.csv'],
  read:
    () =>
    ({ api }) =>
      request(InvoiceLint, api.admin['invoice-lint'].get()),
  output(lint) {
    const details: Detail[] = [
      { label: 'Checked', value: plural(lint.checked, 'invoice') },
      { label: 'Problems', value: String(lint.total), ...(lint.total > 0 ? { tone: 'error' } : {}) },
    ]
    const report = { title: 'VAT invoices', details, table: problemsTable, rows: lint.problems, json: lint }
    const people = plural(lint.unread, 'customer')
    const notes =
      lint.unread === 0
        ? []
        : [`${people} not read since the last update. First run: alliance jobs run reconcile --all`]
    return { ...reportOutput(report), notes, hasFailed: lint.total > 0 }
  },
})

const credit = changeRow<CreditInvoiceResponse>({
  usage: 'credit <number>',
  description: 'Credit an invoice and issue it again with today’s details (no money moves)',
  options: [['--reason <text>', 'why; it stands on the credit note']],
  examples: ['credit A-000042 --reason "The seller’s address was missing" --dry-run'],
  asks: true,
  plan(call) {
    const ref = refOf(call)
    const body = creditOf(call)
    return async ({ api }) => {
      const asked = api.admin.invoice({ ref }).credit.post({ ...body, dryRun: true })
      const facts = await request(CreditInvoiceResponse, asked)
      const amount = formatPoundsAndPence(facts.credited.gross)
      const question = `Credit ${amount} of ${facts.number} with a credit note and issue it again?`
      return { facts, output: creditOutput(facts), question }
    }
  },
  apply:
    (call) =>
    async ({ api }) =>
      creditOutput(
        await request(CreditInvoiceResponse, api.admin.invoice({ ref: refOf(call) }).credit.post(creditOf(call))),
      ),
})

const creditOf = ({ option }: Call) =>
  parseArgument(CreditInvoiceRequest, { reason: option('reason') ?? '' }, '--reason')

function creditOutput(response: CreditInvoiceResponse): Output {
  const { credited, creditNote, replacedBy, dryRun } = response
  const details: Detail[] = [
    {
      label: dryRun ? 'Would be credited' : 'Credited',
      value: `${formatPoundsAndPence(credited.gross)} of ${response.number}`,
    },
    ...(creditNote === null ? [] : [{ label: 'Credit note', value: creditNote }]),
    ...(replacedBy === null ? [] : [{ label: 'Issued again', value: replacedBy }]),
  ]
  const record = { number: response.number, ...credited, creditNote, replacedBy, dryRun }
  return recordOutput('Invoice', details, record, response)
}

export const invoiceDocumentRows = [show, pdf, lint, credit]
