import type { Client } from '#cli/connection.ts'
import { timeLabel } from '#cli/labels.ts'
import { collectRows } from '#cli/list.ts'
import { csvOfRows, type Output, sectionsOutput, tableWithRows } from '#cli/output.ts'
import { requestPage } from '#cli/request.ts'
import { csvFields, type Detail, type Section, type Table } from '#cli/table.ts'
import {
  type Import,
  type ImportColumn,
  type ImportPlan,
  type ImportRow,
  ImportRowList,
  type MemberImportField,
} from '#shared/contract/imports.ts'
import { guessWords } from '#shared/rules/adoption-texts.ts'
import {
  accessAdvice,
  blockSentence,
  importSentence,
  importStateLabels,
  importTitle,
  planLines,
  thereOf,
} from '#shared/rules/imports.ts'
import { plural } from '#shared/rules/plural.ts'
import { stripeSections } from './stripe-output.ts'
import { inTerminalWords } from './terminal-rules.ts'

export const importsTable: Table<Import> = {
  title: 'Imports',
  empty: 'Nothing has been moved in yet.',
  columns: [
    { title: 'ID', text: ({ id }) => id, identifies: true },
    { title: 'WHAT', text: ({ kind }) => kind },
    { title: 'FILE', text: ({ fileName }) => fileName ?? '-', minWidth: 10 },
    {
      title: 'STATE',
      text: ({ state, problem }) => (state === 'planned' && problem !== null ? 'Needs you' : importStateLabels[state]),
    },
    { title: 'NEW', text: (given) => String(thereOf(given)), align: 'right' },
    { title: 'BEGUN', text: ({ createdAt }) => timeLabel(createdAt), dropOrder: 1 },
  ],
  csv: csvFields(['id', 'kind', 'source', 'fileName', 'state', 'rows', 'done', 'failed', 'createdAt', 'appliedAt']),
}

const rowsCsv = csvFields<keyof ImportRow>(['line', 'outcome', 'reason', 'madeId', 'doneAt'])

/** As the browser's table of columns says it. JSON and CSV keep the names that `--map` takes. */
const fieldWords: Record<MemberImportField, string> = {
  email: 'email',
  name: 'full name',
  firstName: 'first name',
  lastName: 'last name',
  phone: 'phone',
  businessName: 'business name',
  trade: 'trade',
  joined: 'joined on',
  paidUntil: 'paid until',
  complimentary: 'has it for free',
  subscribed: 'agreed to emails',
  blocked: 'unsubscribed or bounced',
  lessonsDone: 'videos done',
  plan: 'plan',
  note: 'note',
}

const wordsOfField = (field: string) => (isMemberField(field) ? fieldWords[field] : field)
const isMemberField = (field: string): field is MemberImportField => field in fieldWords

const columnsTable: Table<ImportColumn> = {
  title: 'Columns',
  empty: 'No columns.',
  columns: [
    { title: 'COLUMN', text: ({ heading }) => heading, minWidth: 12 },
    { title: 'BECOMES', text: ({ field }) => (field === null ? 'left out' : wordsOfField(field)) },
    {
      title: 'FOR EXAMPLE',
      text: (column) => blockSentence(column) ?? column.sample,
      tone: () => 'muted',
      dropOrder: 1,
    },
  ],
  csv: csvFields(['heading', 'field', 'sample']),
}

/** As many as anyone reads in a terminal. `--csv` has them all. */
const shownRows = 20

/** The plan, or the report once it's applied, with the rows it leaves out. `says`: what it comes to. */
export async function importOutput({ api }: Client, given: Import, says = importSentence(given)): Promise<Output> {
  const { id, fileName, kind, columns } = given
  const refused = await rowsOf(api, id, { outcome: 'refused' })
  const remarks = await rowsOf(api, id, { remarked: 'true' })
  const doubles = await rowsOf(api, id, { outcome: 'double' })
  const json = { ...given, refused, remarks, doubles }
  const all = [...refused, ...remarks, ...doubles].sort((one, other) => one.line - other.line)
  const csv = () => csvOfRows(rowsCsv, all)
  if (kind === 'stripe') {
    const people = reasonsSection('Whose each subscription is', remarks, ({ reason }) => reason ?? '')
    return sectionsOutput({ json, csv }, stripeSections(given, people, says))
  }
  const details: Detail[] = [
    { label: 'Import', value: id },
    ...(fileName === null ? [] : [{ label: 'File', value: importTitle(given) }]),
    ...planLines(given).map(({ label, count }) => ({ label, value: count.toLocaleString('en-GB') })),
    { label: 'Emails', value: kind === 'members' ? 'none until you send them' : 'none' },
  ]
  const sentences = [inTerminalWords(says), accessAdvice(given)]
  const sections: Section[] = [{ title: 'Plan', details, note: sentences.filter((one) => one !== null).join(' ') }]
  if (columns.length > 0) sections.push({ title: columnsTable.title, table: tableWithRows(columnsTable, columns) })
  const plans = columns.flatMap((column) => column.plans ?? [])
  if (plans.length > 0) sections.push({ title: 'Plans', details: plans.map(planDetail) })
  sections.push(
    ...reasonsSection('Changes', remarks),
    ...reasonsSection('In the file twice', doubles),
    ...reasonsSection('Can’t be moved in', refused),
  )
  return sectionsOutput({ json, csv }, sections)
}

const planDetail = ({ name, lines, tier, guess }: ImportPlan): Detail => ({
  label: name,
  value: `${tier === 'none' ? 'no membership' : (tier ?? 'as --tier says')}, ${plural(lines, 'line')}${guess ? ` · ${guessWords[guess]}` : ''}`,
})

type Which = { outcome: 'refused' | 'double' } | { remarked: 'true' }

async function rowsOf(api: Client['api'], id: string, which: Which) {
  const { rows } = await collectRows(Infinity, (page) =>
    requestPage(ImportRowList, api.admin.imports({ id }).rows.get({ query: { ...which, ...page } })),
  )
  return rows
}

/** Not a table: a narrow terminal would drop the very column that says why. */
function reasonsSection(title: string, rows: readonly ImportRow[], said = reasonOfLine): Section[] {
  if (rows.length === 0) return []
  const lines = rows.slice(0, shownRows).map(said)
  const left = rows.length - shownRows
  return [{ title, lines, ...(left > 0 ? { note: `And ${left} more. See them all with --csv.` } : {}) }]
}

const reasonOfLine = ({ line, reason }: ImportRow) => `Line ${line}: ${reason ?? ''}`
