import type { Command } from 'commander'
import * as v from 'valibot'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { dayLabel, emptyLabel } from '#cli/labels.ts'
import { type ListOptions, printList } from '#cli/list.ts'
import {
  csvSheet,
  note,
  type Output,
  print,
  recordSheet,
  sectionsOutput,
  tableWithRows,
  writeCsvStream,
} from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseArgument, parseMember, parseOption, request, requestPage } from '#cli/request.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { Day, Month } from '#shared/contract/fields.ts'
import {
  type AdminInvoice,
  AdminInvoiceList,
  AdminInvoiceQuery,
  DeleteInvoicesResponse,
  ExportQuery,
  FixInvoicesResponse,
  type FixInvoicesResult,
} from '#shared/contract/invoices.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { registerBooks } from './books.ts'

export function registerInvoices(invoices: Command, io: Io): void {
  invoices
    .command('list')
    .description('List VAT invoices and what was credited, the newest first')
    .option('-n, --limit <count>', 'maximum number of rows')
    .option('-m, --member <id-or-email>', 'filter by member')
    .option('--month <YYYY-MM>', 'filter by the month of the tax point')
    .option('-s, --search <words>', 'number, person, email address or amount')
    .addHelpText('after', examples('invoices list --month 2026-06', 'invoices list --search 300.00'))
    .action((_own, command: Command) => listInvoices(io, command.optsWithGlobals()))
  invoices
    .command('fix')
    .description('Issue invoices that are missing or lack an address, from fresh data of the payment provider')
    .option('-m, --member <id-or-email>', 'only for this member')
    .option('--dry-run', 'show what would be issued, without doing it')
    .addHelpText('after', examples('invoices fix --dry-run', 'invoices fix --member sam@example.com'))
    .action((_own, command: Command) => fixInvoices(io, command.optsWithGlobals()))
  for (const name of ['delete-drafts', 'delete']) registerDeletion(invoices, io, name)
  registerBooks(invoices, io)
  invoices
    .command('export')
    .description('Export invoices and credit notes as CSV for the accountant')
    .option('--from <YYYY-MM-DD>', 'first day')
    .option('--to <YYYY-MM-DD>', 'last day')
    .addHelpText('after', examples('invoices export --from 2026-04-01 --to 2026-06-30 > quarter.csv'))
    .action((_own, command: Command) => exportInvoices(io, command.optsWithGlobals()))
}

/** `delete` was its first name, and still works. */
function registerDeletion(invoices: Command, io: Io, name: string): void {
  invoices
    .command(`${name} <id-or-email>`, { hidden: name === 'delete' })
    .description('Delete drafts at the provider and credit retroactive invoices; final invoices are kept')
    .option('--dry-run', 'show what would be deleted, without doing it')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples(`invoices ${name} sam@example.com --dry-run`, `invoices ${name} sam@example.com`))
    .action((idOrEmail: string, _own, command: Command) => deleteInvoices(io, command.optsWithGlobals(), idOrEmail))
}

const invoicesTable: Table<AdminInvoice> = {
  title: 'VAT invoices',
  empty: 'No invoices.',
  columns: [
    { title: 'NUMBER', text: ({ number }) => number },
    { title: 'TAX POINT', text: ({ taxPoint }) => dayLabel(taxPoint), dropOrder: 1 },
    { title: 'CUSTOMER', text: ({ name }) => name, minWidth: 12 },
    { title: 'NET', text: ({ net }) => formatPoundsAndPence(net), align: 'right', dropOrder: 3 },
    { title: 'VAT', text: ({ vat }) => formatPoundsAndPence(vat), align: 'right', dropOrder: 2 },
    { title: 'TOTAL', text: ({ gross }) => formatPoundsAndPence(gross), align: 'right' },
    {
      title: 'CREDITED',
      text: ({ credited }) => (credited === 0 ? emptyLabel : formatPoundsAndPence(credited)),
      align: 'right',
    },
    { title: 'NOTE', text: invoiceNote, minWidth: 12, dropOrder: 4, tone: () => 'muted' },
  ],
  csv: csvFields(
    ['id', 'number', 'memberId', 'name', 'issuedOn', 'taxPoint', 'net', 'vat', 'gross', 'credited'],
    ['isRetroactive', 'isMissingAddress', 'replaces', 'replacedBy'],
  ),
}

function invoiceNote({ isRetroactive, isMissingAddress, replaces, replacedBy, creditNotes }: AdminInvoice): string {
  const notes = [
    ...(isRetroactive ? ['retroactive'] : []),
    ...(isMissingAddress && replacedBy === null ? ['no address'] : []),
    ...(replaces === null ? [] : [`replaces ${replaces}`]),
    ...(replacedBy === null ? [] : [`replaced by ${replacedBy}`]),
    ...creditNotes,
  ]
  return notes.join(', ') || emptyLabel
}

type InvoiceOptions = ListOptions & { member?: string; month?: string; search?: string }

async function listInvoices(io: Io, options: InvoiceOptions): Promise<void> {
  const month = parseOption(Month, options.month, '--month')
  const q = parseOption(AdminInvoiceQuery.entries.q, options.search, '--search')
  const filter = {
    ...(options.member === undefined ? {} : { member: options.member }),
    ...(q === undefined ? {} : { q }),
    ...(month === undefined ? {} : { month }),
  }
  await printList(io, options, {
    table: invoicesTable,
    requestPage: ({ api }, page) =>
      requestPage(AdminInvoiceList, api.admin.invoices.get({ query: { ...page, ...filter } })),
  })
}

type FixOptions = SharedOptions & { member?: string; dryRun?: boolean }

/** Exits as failed when a member had a problem, so that a script notices. */
async function fixInvoices(io: Io, { member, dryRun = false, ...options }: FixOptions): Promise<void> {
  const body = { dryRun, ...(member === undefined ? {} : { memberId: member }) }
  const response = await withClient(io, options, ({ api }) =>
    request(FixInvoicesResponse, api.admin['fix-member-invoices'].post(body)),
  )
  await print(io, options, fixOutput(response))
  if (dryRun) await note(io, options, 'Dry run: nothing was issued.')
  if (response.problemCount > 0) throw new CliError(exitCodes.failed)
}

const fixStatusLabels: Record<FixInvoicesResult['status'], string> = {
  vat_invoice_created: 'OK',
  error: 'Error',
  customer_not_found: 'Not found at the provider',
  customer_deleted: 'Deleted at the provider',
}

const fixTable: Table<FixInvoicesResult> = {
  title: 'Members',
  empty: 'No members.',
  columns: [
    { title: 'MEMBER', text: ({ name }) => name, minWidth: 12 },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 18, dropOrder: 1 },
    {
      title: 'STATUS',
      text: ({ status }) => fixStatusLabels[status],
      tone: ({ status }) => (status === 'vat_invoice_created' ? 'success' : 'error'),
    },
    { title: 'ISSUED', text: ({ created }) => String(created), align: 'right' },
    { title: 'REASON', text: ({ message }) => message ?? '', minWidth: 20, tone: () => 'muted' },
  ],
  csv: [
    ...csvFields(['memberId', 'name', 'email', 'status', 'created']),
    { name: 'message', cell: ({ message }) => message ?? null },
  ],
}

function fixOutput(response: FixInvoicesResponse): Output {
  const { results, createdCount, problemCount, dryRun } = response
  const details: Detail[] = [
    { label: dryRun ? 'Would be issued' : 'VAT invoices issued', value: String(createdCount) },
    { label: 'Members with a problem', value: String(problemCount), ...(problemCount > 0 ? { tone: 'error' } : {}) },
  ]
  return sectionsOutput({ json: response, csv: () => csvSheet(fixTable.csv, results) }, [
    { title: 'VAT invoices', details },
    ...(results.length > 0 ? [{ title: fixTable.title, table: tableWithRows(fixTable, results) }] : []),
  ])
}

type DeleteOptions = SharedOptions & { dryRun?: boolean; yes?: true }

async function deleteInvoices(io: Io, { dryRun = false, yes, ...options }: DeleteOptions, idOrEmail: string) {
  const memberId = parseMember(idOrEmail)
  if (!dryRun) await confirm(io, `Delete the drafts and retroactive invoices of ${memberId}?`, yes === true)
  const response = await withClient(io, options, ({ api }) =>
    request(DeleteInvoicesResponse, api.admin['delete-member-invoices'].post({ memberId, dryRun })),
  )
  await print(io, options, deletionOutput(response))
  if (dryRun) await note(io, options, 'Dry run: nothing was deleted.')
  if (response.errorCount > 0) throw new CliError(exitCodes.failed)
}

function deletionOutput(response: DeleteInvoicesResponse): Output {
  const { deletedCount, errorCount, finalizedCount, deleted, message, dryRun } = response
  const details: Detail[] = [
    { label: dryRun ? 'Would be deleted' : 'Deleted', value: [deletedCount, ...deleted].join('  ') },
    { label: 'Errors', value: String(errorCount), ...(errorCount > 0 ? { tone: 'error' } : {}) },
    { label: 'Kept', value: [finalizedCount, ...(message === undefined ? [] : [message])].join('  ') },
  ]
  const record = { deletedCount, errorCount, finalizedCount, deleted: deleted.join(' ') }
  return sectionsOutput({ json: response, csv: () => recordSheet(record) }, [{ title: 'Invoices', details }])
}

type ExportOptions = SharedOptions & { from?: string; to?: string }

/** Always the server's CSV, with `--json` too: it is a file for the accountant's program. */
async function exportInvoices(io: Io, { from, to, ...options }: ExportOptions): Promise<void> {
  const query = parseArgument(ExportQuery, {
    ...(from === undefined ? {} : { from: parseArgument(Day, from, '--from') }),
    ...(to === undefined ? {} : { to: parseArgument(Day, to, '--to') }),
  })
  await withClient(io, options, async ({ api }) => {
    const csv = await request(v.instance(ReadableStream), api.admin.exports['invoices.csv'].get({ query }))
    await writeCsvStream(io, csv)
  })
}
