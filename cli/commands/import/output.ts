import type { Client } from '#cli/connection.ts'
import { timeLabel } from '#cli/labels.ts'
import { collectRows } from '#cli/list.ts'
import { csvOfRows, type Output, sectionsOutput, tableWithRows } from '#cli/output.ts'
import { requestPage } from '#cli/request.ts'
import { csvFields, type Detail, type Section, type Table } from '#cli/table.ts'
import { type Import, type ImportColumn, type ImportRow, ImportRowList } from '#shared/contract/imports.ts'
import { accessAdvice, importSentence, importStateLabels, importTitle, planLines } from '#shared/rules/imports.ts'
import { stripeSections } from './stripe-output.ts'

export const importsTable: Table<Import> = {
  title: 'Imports',
  empty: 'Nothing has been moved in yet.',
  columns: [
    { title: 'ID', text: ({ id }) => id, identifies: true },
    { title: 'WHAT', text: ({ kind }) => kind },
    { title: 'FILE', text: ({ fileName }) => fileName ?? '-', minWidth: 10 },
    { title: 'STATE', text: ({ state, problem }) => (problem === null ? importStateLabels[state] : 'Needs you') },
    { title: 'NEW', text: ({ counts }) => String(counts.new), align: 'right' },
    { title: 'BEGUN', text: ({ createdAt }) => timeLabel(createdAt), dropOrder: 1 },
  ],
  csv: csvFields(['id', 'kind', 'source', 'fileName', 'state', 'rows', 'done', 'failed', 'createdAt', 'appliedAt']),
}

const rowsTable: Table<ImportRow> = {
  title: 'Can’t be moved in',
  empty: 'Every row can be taken.',
  columns: [
    { title: 'LINE', text: ({ line }) => String(line), align: 'right', identifies: true },
    { title: 'WHY', text: ({ reason }) => reason ?? '' },
  ],
  csv: csvFields(['line', 'outcome', 'reason', 'madeId', 'doneAt']),
}

/** What a row loses on its way. */
const remarksTable: Table<ImportRow> = { ...rowsTable, title: 'Changes', empty: 'Nothing changes.' }

const columnsTable: Table<ImportColumn> = {
  title: 'Columns',
  empty: 'No columns.',
  columns: [
    { title: 'COLUMN', text: ({ heading }) => heading, minWidth: 12 },
    { title: 'BECOMES', text: ({ field }) => field ?? 'left out' },
    { title: 'FOR EXAMPLE', text: ({ sample }) => sample, tone: () => 'muted', dropOrder: 1 },
  ],
  csv: csvFields(['heading', 'field', 'sample']),
}

/** As many as anyone reads in a terminal. `--csv` has them all. */
const shownRows = 20

/** The plan, or the report once it's applied, with the rows it leaves out. */
export async function importOutput({ api }: Client, given: Import): Promise<Output> {
  const { id, fileName, kind, columns } = given
  const refused = await rowsOf(api, id, { outcome: 'refused' })
  const remarks = await rowsOf(api, id, { remarked: 'true' })
  const details: Detail[] = [
    { label: 'Import', value: id },
    ...(fileName === null ? [] : [{ label: 'File', value: importTitle(given) }]),
    ...planLines(given).map(({ label, count }) => ({ label, value: count.toLocaleString('en-GB') })),
    { label: 'Emails', value: kind === 'members' ? 'none until you send them' : 'none' },
  ]
  const sections: Section[] = [
    {
      title: 'Plan',
      details,
      note: [importSentence(given), accessAdvice(given)].filter((one) => one !== null).join(' '),
    },
  ]
  if (kind === 'stripe') return sectionsOutput(dataOf(given, refused, remarks), stripeSections(given))
  if (columns.length > 0) sections.push({ title: columnsTable.title, table: tableWithRows(columnsTable, columns) })
  if (remarks.length > 0) sections.push({ title: remarksTable.title, table: tableWithRows(remarksTable, remarks) })
  if (refused.length > 0) sections.push(refusedSection(given, refused))
  return sectionsOutput(dataOf(given, refused, remarks), sections)
}

const dataOf = (given: Import, refused: ImportRow[], remarks: ImportRow[]) => ({
  json: { ...given, refused, remarks },
  csv: () => csvOfRows(rowsTable.csv, refused),
})

async function rowsOf(api: Client['api'], id: string, which: { outcome: 'refused' } | { remarked: 'true' }) {
  const { rows } = await collectRows(Infinity, (page) =>
    requestPage(ImportRowList, api.admin.imports({ id }).rows.get({ query: { ...which, ...page } })),
  )
  return rows
}

function refusedSection({ counts, failed }: Import, refused: ImportRow[]): Section {
  const table = tableWithRows(rowsTable, refused.slice(0, shownRows))
  const left = counts.refused + failed - shownRows
  return { title: rowsTable.title, table, ...(left > 0 ? { note: `And ${left} more. See them all with --csv.` } : {}) }
}
