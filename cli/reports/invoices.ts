import type { Report } from '#cli/output.ts'
import { type Column, type Fact, factsText, tableText } from '#cli/table.ts'
import type {
  AdminInvoice,
  DeleteInvoicesResponse,
  FixInvoicesResponse,
  FixInvoicesResult,
} from '#shared/contract/invoices.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { dayWords, nothing } from './words.ts'

const columns: readonly Column<AdminInvoice>[] = [
  { title: 'NUMBER', text: ({ number }) => number },
  { title: 'TAX POINT', text: ({ taxPoint }) => dayWords(taxPoint), givesWay: 1 },
  { title: 'CUSTOMER', text: ({ name }) => name, shrinksTo: 12 },
  { title: 'NET', text: ({ net }) => formatPoundsAndPence(net), align: 'right', givesWay: 3 },
  { title: 'VAT', text: ({ vat }) => formatPoundsAndPence(vat), align: 'right', givesWay: 2 },
  { title: 'TOTAL', text: ({ gross }) => formatPoundsAndPence(gross), align: 'right' },
  {
    title: 'CREDITED',
    text: ({ credited }) => (credited === 0 ? nothing : formatPoundsAndPence(credited)),
    align: 'right',
  },
  { title: 'NOTE', text: noteOn, shrinksTo: 12, givesWay: 4, tone: () => 'quiet' },
]

function noteOn({ isRetroactive, isMissingAddress, replaces, replacedBy, creditNotes }: AdminInvoice): string {
  const notes = [
    ...(isRetroactive ? ['retroactive'] : []),
    ...(isMissingAddress && replacedBy === null ? ['no address'] : []),
    ...(replaces === null ? [] : [`replaces ${replaces}`]),
    ...(replacedBy === null ? [] : [`replaced by ${replacedBy}`]),
    ...creditNotes,
  ]
  return notes.join(', ') || nothing
}

const fields = [
  'id',
  'number',
  'memberId',
  'name',
  'issuedOn',
  'taxPoint',
  'net',
  'vat',
  'gross',
  'credited',
  'isRetroactive',
  'isMissingAddress',
  'replaces',
  'replacedBy',
] as const satisfies readonly (keyof AdminInvoice)[]

export function invoicesReport(invoices: AdminInvoice[]): Report {
  return {
    answer: invoices,
    sheet: () => ({ head: fields, rows: invoices.map((invoice) => fields.map((field) => invoice[field])) }),
    text: () => (invoices.length === 0 ? 'No invoices.\n' : tableText(columns, invoices)),
    async view(width) {
      const [{ draw }, { InvoicesView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/invoices.tsx'),
      ])
      return draw(InvoicesView, { invoices, columns, width })
    },
  }
}

const statusWords: Record<FixInvoicesResult['status'], string> = {
  vat_invoice_created: 'In order',
  error: 'Error',
  customer_not_found: 'Not found at the provider',
  customer_deleted: 'Deleted at the provider',
}

const resultColumns: readonly Column<FixInvoicesResult>[] = [
  { title: 'MEMBER', text: ({ name }) => name, shrinksTo: 12 },
  { title: 'E-MAIL', text: ({ email }) => email, shrinksTo: 18, givesWay: 1 },
  {
    title: 'STATUS',
    text: ({ status }) => statusWords[status],
    tone: ({ status }) => (status === 'vat_invoice_created' ? 'ok' : 'bad'),
  },
  { title: 'ISSUED', text: ({ created }) => String(created), align: 'right' },
  { title: 'WHY', text: ({ message }) => message ?? '', shrinksTo: 20, tone: () => 'quiet' },
]

export function fixedReport(answer: FixInvoicesResponse): Report {
  const { results, createdCount, problemCount } = answer
  const facts: Fact[] = [
    { label: answer.dryRun ? 'Would be issued' : 'VAT invoices issued', value: String(createdCount) },
    { label: 'Members with a problem', value: String(problemCount), ...(problemCount > 0 ? { tone: 'bad' } : {}) },
  ]
  const head = ['memberId', 'name', 'email', 'status', 'created', 'message'] as const
  return {
    answer,
    sheet: () => ({ head, rows: results.map((result) => head.map((field) => result[field] ?? null)) }),
    text: () => `${factsText(facts)}${results.length === 0 ? '' : `\n${tableText(resultColumns, results)}`}`,
    async view(width) {
      const [{ draw }, { FixedView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/invoices.tsx'),
      ])
      return draw(FixedView, { facts, results, columns: resultColumns, width })
    },
  }
}

export function deletedReport(answer: DeleteInvoicesResponse): Report {
  const { deletedCount, errorCount, finalizedCount, deleted, message } = answer
  const facts: Fact[] = [
    { label: answer.dryRun ? 'Would go' : 'Deleted', value: [deletedCount, ...deleted].join('  ') },
    { label: 'Errors', value: String(errorCount), ...(errorCount > 0 ? { tone: 'bad' } : {}) },
    { label: 'Left as they are', value: [finalizedCount, ...(message === undefined ? [] : [message])].join('  ') },
  ]
  return {
    answer,
    sheet: () => ({
      head: ['deletedCount', 'errorCount', 'finalizedCount', 'deleted'],
      rows: [[deletedCount, errorCount, finalizedCount, deleted.join(' ')]],
    }),
    text: () => factsText(facts),
    async view(width) {
      const [{ draw }, { FactsView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/facts.tsx'),
      ])
      return draw(FactsView, { title: 'Invoices', facts, width })
    },
  }
}
