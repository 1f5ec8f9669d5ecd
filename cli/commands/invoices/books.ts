import type { Command } from 'commander'
import * as v from 'valibot'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import { type Io, write } from '#cli/io.ts'
import { dayLabel, emptyLabel } from '#cli/labels.ts'
import {
  csvSheet,
  isForScript,
  note,
  type Output,
  print,
  recordSheet,
  reportOutput,
  sectionsOutput,
  tableWithRows,
} from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseArgument, request, requireText } from '#cli/request.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import {
  CreditInvoiceRequest,
  CreditInvoiceResponse,
  InvoiceDetail,
  InvoiceLint,
  type InvoiceProblem,
} from '#shared/contract/books.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'

type CreditOptions = SharedOptions & { reason?: string; dryRun?: boolean; yes?: true }

export function registerBooks(invoices: Command, io: Io): void {
  invoices
    .command('show <number>')
    .description('Show everything on an invoice, and what became of it')
    .addHelpText('after', examples('invoices show A-000042'))
    .action((number: string, _own, command: Command) => showInvoice(io, command.optsWithGlobals(), number))
  invoices
    .command('pdf <number>')
    .description('Write the PDF of an invoice')
    .addHelpText('after', examples('invoices pdf A-000042 > A-000042.pdf'))
    .action((number: string, _own, command: Command) => writePdf(io, command.optsWithGlobals(), number))
  invoices
    .command('lint')
    .description('Check every invoice: its particulars, the series, the 30 days, and what the provider took')
    .addHelpText('after', examples('invoices lint', 'invoices lint --csv > problems.csv'))
    .action((_own, command: Command) => lintInvoices(io, command.optsWithGlobals()))
  invoices
    .command('credit <number>')
    .description('Take an invoice back by a credit note and issue it anew with today’s particulars; no money moves')
    .option('--reason <text>', 'why; it stands on the credit note')
    .option('--dry-run', 'show what would be credited, without doing it')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('invoices credit A-000042 --reason "The seller’s address was missing" --dry-run'))
    .action((number: string, _own, command: Command) => creditInvoice(io, command.optsWithGlobals(), number))
}

const refOf = (number: string) =>
  encodeURIComponent(requireText(number, 'Enter the number of an invoice, such as A-000042.'))

async function showInvoice(io: Io, options: SharedOptions, number: string): Promise<void> {
  const ref = refOf(number)
  const invoice = await withClient(io, options, ({ api }) => request(InvoiceDetail, api.admin.invoice({ ref }).get()))
  await print(io, options, invoiceOutput(invoice))
}

const linesTable: Table<InvoiceDetail['lines'][number]> = {
  title: 'Lines',
  empty: 'No lines.',
  columns: [
    { title: 'SUPPLIED', text: ({ description }) => description, minWidth: 16 },
    { title: 'QTY', text: ({ quantity }) => String(quantity), align: 'right', dropOrder: 2 },
    { title: 'UNIT', text: ({ unitPrice }) => formatPoundsAndPence(unitPrice), align: 'right', dropOrder: 1 },
    { title: 'NET', text: ({ net }) => formatPoundsAndPence(net), align: 'right' },
    { title: 'RATE', text: ({ rate }) => `${rate}%`, align: 'right' },
    { title: 'VAT', text: ({ vat }) => formatPoundsAndPence(vat), align: 'right' },
  ],
  csv: csvFields(['description', 'quantity', 'unitPrice', 'net', 'rate', 'vat']),
}

function invoiceOutput(invoice: InvoiceDetail): Output {
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
  return sectionsOutput({ json: invoice, csv: () => csvSheet(linesTable.csv, invoice.lines) }, [
    { title: 'Invoice', details },
    { title: linesTable.title, table: tableWithRows(linesTable, invoice.lines) },
  ])
}

/** A terminal would show bytes that mean nothing, and some that it obeys. */
async function writePdf(io: Io, options: SharedOptions, number: string): Promise<void> {
  const ref = refOf(number)
  if (isForScript(options)) throw usageError('A PDF is neither JSON nor CSV.')
  if (io.isTTY.stdout) throw usageError(`A PDF goes into a file: add > ${number}.pdf`)
  const pdf = await withClient(io, options, ({ api }) =>
    request(v.instance(Uint8Array), api.admin.invoice({ ref }).pdf.get()),
  )
  await write(io.stdout, pdf)
}

const problemsTable: Table<InvoiceProblem> = {
  title: 'Problems',
  empty: 'No problems found.',
  columns: [
    { title: 'DOCUMENT', text: ({ document }) => document },
    { title: 'PROBLEM', text: ({ problem }) => problem, minWidth: 30 },
    { title: 'TO MEND IT', text: ({ fix }) => fix ?? emptyLabel, dropOrder: 1, tone: () => 'muted' },
  ],
  csv: csvFields(['document', 'problem', 'fix']),
}

/** Exits as failed where there is a problem, so that cron notices. */
async function lintInvoices(io: Io, options: SharedOptions): Promise<void> {
  const lint = await withClient(io, options, ({ api }) => request(InvoiceLint, api.admin['invoice-lint'].get()))
  const details: Detail[] = [
    { label: 'Checked', value: plural(lint.checked, 'invoice') },
    { label: 'Problems', value: String(lint.total), ...(lint.total > 0 ? { tone: 'error' } : {}) },
  ]
  const report = { title: 'VAT invoices', details, table: problemsTable, rows: lint.problems, json: lint }
  await print(io, options, reportOutput(report))
  if (lint.total > 0) throw new CliError(exitCodes.failed)
}

async function creditInvoice(io: Io, { dryRun = false, yes, reason = '', ...options }: CreditOptions, number: string) {
  const ref = refOf(number)
  const body = parseArgument(CreditInvoiceRequest, { reason, dryRun }, '--reason')
  const response = await withClient(io, options, async ({ api }) => {
    const invoice = api.admin.invoice({ ref })
    const plan = await request(CreditInvoiceResponse, invoice.credit.post({ ...body, dryRun: true }))
    if (dryRun) return plan
    const amount = formatPoundsAndPence(plan.credited.gross)
    await confirm(io, `Take back ${amount} of ${plan.number} by a credit note and issue it anew?`, yes === true)
    return request(CreditInvoiceResponse, invoice.credit.post(body))
  })
  const { credited, creditNote, replacedBy } = response
  const details: Detail[] = [
    {
      label: dryRun ? 'Would be credited' : 'Credited',
      value: `${formatPoundsAndPence(credited.gross)} of ${response.number}`,
    },
    ...(creditNote === null ? [] : [{ label: 'Credit note', value: creditNote }]),
    ...(replacedBy === null ? [] : [{ label: 'Issued anew', value: replacedBy }]),
  ]
  const record = { number: response.number, ...credited, creditNote, replacedBy, dryRun }
  await print(
    io,
    options,
    sectionsOutput({ json: response, csv: () => recordSheet(record) }, [{ title: 'Invoice', details }]),
  )
  if (dryRun) await note(io, options, 'Dry run: nothing was credited.')
}
