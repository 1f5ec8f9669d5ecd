import * as v from 'valibot'
import { fileRow } from '#cli/file-rows.ts'
import { dayLabel, emptyLabel } from '#cli/labels.ts'
import {
  csvOfRecord,
  csvOfRows,
  type Output,
  recordOutput,
  sectionsOutput,
  tableWithRows,
  writeCsvStream,
} from '#cli/output.ts'
import { parseArgument, parseMember, parseOption, request, requestPage, withoutUnset } from '#cli/request.ts'
import { changeRow, listRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { Day, Month, Quarter } from '#shared/contract/fields.ts'
import {
  type AdminInvoice,
  AdminInvoiceList,
  AdminInvoiceQuery,
  DeleteInvoicesResponse,
  ExportQuery,
  FixInvoicesResponse,
  type FixInvoicesResult,
  invoiceStates,
} from '#shared/contract/invoices.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const invoicesTable: Table<AdminInvoice> = {
  isOfPeople: true,
  title: 'VAT invoices',
  empty: 'No invoices.',
  columns: [
    { title: 'NUMBER', text: ({ number }) => number, identifies: true, link: ({ url }) => url },
    { title: 'TAX POINT', text: ({ taxPoint }) => dayLabel(taxPoint), dropOrder: 2 },
    { title: 'CUSTOMER', text: ({ name }) => name, minWidth: 10 },
    { title: 'NET', text: ({ net }) => formatPoundsAndPence(net), align: 'right', dropOrder: 4 },
    { title: 'VAT', text: ({ vat }) => formatPoundsAndPence(vat), align: 'right', dropOrder: 3 },
    { title: 'TOTAL', text: ({ gross }) => formatPoundsAndPence(gross), align: 'right' },
    {
      title: 'CREDITED',
      text: ({ credited }) => (credited === 0 ? emptyLabel : formatPoundsAndPence(credited)),
      align: 'right',
      dropOrder: 1,
    },
    { title: 'NOTE', text: invoiceNote, minWidth: 12, dropOrder: 5, tone: () => 'muted' },
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

const list = listRow({
  usage: 'list',
  description: 'List VAT invoices and credits, newest first',
  options: [
    ['-m, --member <who>', 'filter by ID, email or name'],
    ['--month <YYYY-MM>', 'filter by tax point month'],
    ['--quarter <YYYY-QN>', 'filter by tax point quarter'],
    ['--show <which>', invoiceStates.join(', ')],
    ['-s, --search <words>', 'number, person, email address or amount'],
  ],
  examples: ['list --month 2026-06', 'list --quarter 2026-Q2 --show credited', 'list --search 300.00'],
  table: invoicesTable,
  pages({ option }) {
    const month = parseOption(Month, option('month'), '--month')
    const quarter = parseOption(Quarter, option('quarter')?.toUpperCase(), '--quarter')
    const show = parseOption(AdminInvoiceQuery.entries.show, option('show'), '--show')
    const q = parseOption(AdminInvoiceQuery.entries.q, option('search'), '--search')
    const filter = withoutUnset({ member: option('member'), q, month, quarter, show })
    return ({ api }, page) => requestPage(AdminInvoiceList, api.admin.invoices.get({ query: { ...page, ...filter } }))
  },
})

const fixStatusLabels: Record<FixInvoicesResult['status'], string> = {
  vat_invoice_created: 'OK',
  error: 'Error',
  customer_not_found: 'Not found at Stripe',
  customer_deleted: 'Deleted at Stripe',
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
  return {
    ...sectionsOutput({ json: response, csv: () => csvOfRows(fixTable.csv, results) }, [
      { title: 'VAT invoices', details },
      ...(results.length > 0 ? [{ title: fixTable.title, table: tableWithRows(fixTable, results) }] : []),
    ]),
    hasFailed: problemCount > 0,
  }
}

/** Planning reads every member at Stripe, which takes as long as doing it, so there's a plan only with `--dry-run`. */
const fix = changeRow<FixInvoicesResponse | null>({
  usage: 'fix',
  description: 'Issue invoices that are missing or lack an address, after a sync with Stripe',
  options: [['-m, --member <id-or-email>', 'only for this member']],
  examples: ['fix --dry-run', 'fix --member sam@example.com'],
  plan({ io, options, option }) {
    const isPlanned = options.dryRun !== undefined || io.plan !== undefined
    const body = { ...withoutUnset({ memberId: option('member') }), dryRun: true }
    return async ({ api }) => {
      const facts = isPlanned ? await request(FixInvoicesResponse, api.admin['fix-member-invoices'].post(body)) : null
      return { facts, output: facts === null ? nothingPlanned : fixOutput(facts), question: null }
    }
  },
  apply:
    ({ option }) =>
    async ({ api }) => {
      const body = { ...withoutUnset({ memberId: option('member') }), dryRun: false }
      return fixOutput(await request(FixInvoicesResponse, api.admin['fix-member-invoices'].post(body)))
    },
})

const nothingPlanned: Output = sectionsOutput({ json: null, csv: () => csvOfRecord({}) }, [])

const deletion = changeRow<DeleteInvoicesResponse>({
  usage: 'delete-drafts <id-or-email>',
  description: 'Delete drafts at Stripe and credit retroactive invoices (final invoices are kept)',
  examples: ['delete-drafts sam@example.com --dry-run', 'delete-drafts sam@example.com'],
  asks: true,
  plan({ argument }) {
    const memberId = parseMember(argument(0))
    return async ({ api }) => {
      const body = { memberId, dryRun: true }
      const facts = await request(DeleteInvoicesResponse, api.admin['delete-member-invoices'].post(body))
      const question = `Delete the drafts and retroactive invoices of ${memberId}?`
      return { facts, output: deletionOutput(facts), question }
    }
  },
  apply:
    ({ argument }) =>
    async ({ api }) => {
      const body = { memberId: parseMember(argument(0)), dryRun: false }
      return deletionOutput(await request(DeleteInvoicesResponse, api.admin['delete-member-invoices'].post(body)))
    },
})

function deletionOutput(response: DeleteInvoicesResponse): Output {
  const { deletedCount, errorCount, finalizedCount, deleted, message, dryRun } = response
  const details: Detail[] = [
    { label: dryRun ? 'Would be deleted' : 'Deleted', value: [deletedCount, ...deleted].join('  ') },
    { label: 'Errors', value: String(errorCount), ...(errorCount > 0 ? { tone: 'error' } : {}) },
    { label: 'Kept', value: [finalizedCount, ...(message === undefined ? [] : [message])].join('  ') },
  ]
  const record = { deletedCount, errorCount, finalizedCount, deleted: deleted.join(' ') }
  return {
    ...recordOutput('Invoices', details, record, response),
    hasFailed: errorCount > 0,
  }
}

const exportRow = fileRow({
  usage: 'export',
  description: 'Export invoices and credit notes as CSV for the accountant',
  options: [
    ['--from <YYYY-MM-DD>', 'first day'],
    ['--to <YYYY-MM-DD>', 'last day'],
  ],
  instead: 'invoices list --json',
  examples: ['export --from 2026-04-01 --to 2026-06-30 > quarter.csv'],
  write({ io, option }) {
    const [from, to] = [parseOption(Day, option('from'), '--from'), parseOption(Day, option('to'), '--to')]
    const query = parseArgument(ExportQuery, withoutUnset({ from, to }))
    return async ({ api }) =>
      writeCsvStream(io, await request(v.instance(ReadableStream), api.admin.exports['invoices.csv'].get({ query })))
  },
})

export const invoiceListRows = [list, fix, deletion, exportRow]
