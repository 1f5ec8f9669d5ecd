import { tableWithRows } from '#cli/output.ts'
import { csvFields, type Section, type Table } from '#cli/table.ts'
import type { Import, ImportColumn, ImportRow } from '#shared/contract/imports.ts'
import { switchOffSteps } from '#shared/rules/adoption-texts.ts'
import { importSentence, planLines, type StayLine, stayLines } from '#shared/rules/imports.ts'

const staysTable: Table<StayLine> = {
  title: 'Stay at Stripe',
  empty: 'Everything can be adopted.',
  columns: [
    { title: 'HOW MANY', text: ({ count }) => count.toLocaleString('en-GB'), align: 'right' },
    { title: 'WHY', text: ({ why }) => why, identifies: true },
    { title: 'WHAT TO DO', text: ({ remedy }) => remedy },
  ],
  csv: csvFields(['reason', 'count', 'why', 'remedy']),
}

const pricesTable: Table<ImportColumn> = {
  title: 'Prices',
  empty: 'No prices.',
  columns: [
    { title: 'PRICE', text: ({ heading }) => heading, identifies: true },
    {
      title: 'TIER',
      text: ({ field }) => field ?? 'choose one',
      tone: ({ field }) => (field === null ? 'error' : undefined),
    },
    { title: 'WHAT IT IS', text: ({ sample }) => sample },
  ],
  csv: csvFields(['heading', 'field', 'sample']),
}

const programsTable: Table<ImportColumn> = {
  title: 'Made by',
  empty: 'No other program.',
  columns: [
    { title: 'PROGRAM', text: ({ heading }) => heading, identifies: true },
    { title: 'WHAT IT HOLDS', text: ({ sample }) => sample },
  ],
  csv: csvFields(['heading', 'sample']),
}

const rowsTable: Table<ImportRow> = {
  title: 'One by one',
  empty: 'Everything can be adopted.',
  columns: [{ title: 'WHICH STAY', text: ({ reason }) => reason ?? '', identifies: true }],
  csv: csvFields(['line', 'outcome', 'reason', 'madeId', 'doneAt']),
}

const shownRows = 20

/** What stays at Stripe comes first, because it asks something of the owner. The last line is what would happen. */
export function stripeSections(given: Import, refused: readonly ImportRow[]): Section[] {
  const { id, columns, state } = given
  const [programs, prices] = [columns.filter(isProgram), columns.filter((one) => !isProgram(one))]
  const stays = stayLines(given)
  const details = [
    { label: 'Import', value: id },
    ...planLines(given).map(({ label, count }) => ({ label, value: count.toLocaleString('en-GB') })),
    { label: 'Charges now', value: 'none' },
    { label: 'Emails', value: 'none' },
  ]
  return [
    ...sectionOf(staysTable, stays),
    ...sectionOf(rowsTable, refused.slice(0, shownRows), left(given, refused)),
    ...sectionOf(pricesTable, prices),
    ...sectionOf(programsTable, programs),
    ...(state === 'planned' ? [stepsSection()] : []),
    { title: 'Plan', details, note: importSentence(given) },
  ]
}

const isProgram = ({ field }: ImportColumn) => field === 'program'

function sectionOf<Row>(table: Table<Row>, rows: readonly Row[], note?: string): Section[] {
  if (rows.length === 0) return []
  return [{ title: table.title, table: tableWithRows(table, rows), ...(note === undefined ? {} : { note }) }]
}

function left({ counts }: Import, refused: readonly ImportRow[]): string | undefined {
  const more = counts.refused - Math.min(shownRows, refused.length)
  return more > 0 ? `And ${more.toLocaleString('en-GB')} more. See them all with --csv.` : undefined
}

const stepsSection = (): Section => ({
  title: 'First, in Stripe',
  details: switchOffSteps.map((step, at) => ({ label: String(at + 1), value: step })),
})
