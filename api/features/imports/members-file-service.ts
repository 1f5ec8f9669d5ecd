import * as v from 'valibot'
import { Email, Line } from '#shared/contract/fields.ts'
import type { ImportOptions, MemberImportField } from '#shared/contract/imports.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import type { ReadFile, ReadRow } from './kind-rules.ts'
import { tooLong } from './long-values-rules.ts'
import {
  type Block,
  blockOf,
  describeColumns,
  type FieldColumns,
  findColumns,
  formatOf,
  isAmbiguous,
  isMonthFirst,
  isNo,
  isYes,
  lessonsOf,
  missingHeading,
  otherColumns,
  readDay,
  splitName,
  strictestBlock,
} from './members-rules.ts'
import { readHeadings, readTable, type TableRow } from './table-service.ts'

/** A person as a file describes them. */
export type MemberRow = {
  email: string
  firstName: string
  lastName: string
  phone: string | null
  businessName: string | null
  trade: string | null
  joined: string | null
  /** The last day they've paid for elsewhere. */
  paidUntil: string | null
  /** Set if we can't read the day they've paid until. */
  unreadDay: { column: string; isMonthFirst: boolean } | null
  /** They had it for free there. */
  isComplimentary: boolean
  isSubscribed: boolean
  /** They said no, not just nothing. */
  saysNo: boolean
  block: Block | null
  lessonIds: string[]
  unknownLessons: number
  note: string
  cards: number
}

/** `lessons` are our videos' ids, by the folded names a file may have them under. */
export type MembersOptions = { options: ImportOptions; lessons: ReadonlyMap<string, string> }

type Layout = MembersOptions & {
  headings: readonly string[]
  columns: FieldColumns
  /** Columns no field takes, and those of notes. */
  noted: readonly number[]
  /** Columns where one day must have the month first, so we can't trust their other days. */
  monthFirst: ReadonlySet<number>
}

const noEmailColumn = 'We can’t find the email addresses. Choose their column below.'

/** A file of people, in the process that reads it. */
export async function openMembers(file: string, given: MembersOptions): Promise<ReadFile<MemberRow>> {
  const { options } = given
  const rows = readTable(file)
  const headings = await readHeadings(rows)
  const columns = findColumns(headings, options)
  const first = await take(rows, sampledRows)
  const missing = missingHeading(headings, options)
  const problem =
    missing !== null
      ? `There’s no column called “${missing}” in this file.`
      : columns.email === undefined
        ? noEmailColumn
        : null
  const monthFirst = problem === null ? await monthFirstColumns(file, columns) : new Set<number>()
  const noted = options.keepsNotes ? otherColumns(headings, columns).concat(columns.note ?? []) : []
  const layout = { ...given, headings, columns, noted, monthFirst }
  return {
    ...{ source: formatOf(headings), problem },
    columns: describeColumns(layout, sampleOf(headings, first)),
    rows: readMembers(layout, first, rows),
  }
}

/** The day that gives it away may be on the last line, so the file is read once before. */
async function monthFirstColumns(file: string, { joined = [], paidUntil = [] }: FieldColumns): Promise<Set<number>> {
  const found = new Set<number>()
  const days = [...joined, ...paidUntil]
  if (days.length === 0) return found
  for await (const { cells } of readTable(file)) {
    for (const at of days) if (isMonthFirst(cells[at] ?? '')) found.add(at)
    if (found.size === days.length) break
  }
  return found
}

const sampledRows = 50

async function take(rows: AsyncGenerator<TableRow>, most: number): Promise<TableRow[]> {
  const taken: TableRow[] = []
  while (taken.length < most) {
    const { value, done } = await rows.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

/** The first filled-in cell of each column. */
const sampleOf = (headings: readonly string[], rows: readonly TableRow[]) =>
  headings.map((_, index) => rows.find(({ cells }) => cells[index]?.trim())?.cells[index] ?? '')

async function* readMembers(
  layout: Layout,
  first: readonly TableRow[],
  rest: AsyncGenerator<TableRow>,
): AsyncGenerator<ReadRow<MemberRow>> {
  for (const row of first) yield readMember(layout, row)
  for await (const row of rest) yield readMember(layout, row)
}

function readMember(layout: Layout, { line, cells, cards, isTooLong }: TableRow): ReadRow<MemberRow> {
  if (isTooLong) return { line, refused: tooLong }
  const { columns, headings, lessons, monthFirst } = layout
  const at = (field: MemberImportField) => columns[field]?.find((index) => cells[index]?.trim()) ?? -1
  const cell = (field: MemberImportField) => cells[at(field)]?.trim() ?? ''
  const email = v.safeParse(Email, cell('email'))
  if (!email.success)
    return { line, refused: cell('email') === '' ? 'There’s no email address.' : 'This isn’t an email address.' }
  const day = (field: MemberImportField) => dayIn(cell(field), monthFirst.has(at(field)))
  const said = (columns.subscribed ?? []).map((index) => cells[index] ?? '')
  const name = splitName(cell('name'))
  const done = lessonsOf(cell('lessonsDone')).map((one) => lessons.get(foldText(one)) ?? null)
  const row: MemberRow = {
    email: email.output,
    firstName: line100(cell('firstName')) ?? line100(name.firstName) ?? '',
    lastName: line100(cell('lastName')) ?? (cell('firstName') === '' ? (line100(name.lastName) ?? '') : ''),
    phone: lineOf(cell('phone'), 50),
    businessName: lineOf(cell('businessName'), 200),
    trade: lineOf(cell('trade'), 200),
    joined: day('joined'),
    paidUntil: day('paidUntil'),
    unreadDay:
      cell('paidUntil') === '' || day('paidUntil') !== null
        ? null
        : unreadDayIn(headings[at('paidUntil')] ?? '', cell('paidUntil')),
    isComplimentary: isYes(cell('complimentary')),
    isSubscribed: isYes(cell('subscribed')) && !said.some(isNo),
    saysNo: said.some(isNo),
    block: strictestBlock((columns.blocked ?? []).map((index) => blockOf(cells[index] ?? '', headings[index] ?? ''))),
    lessonIds: [...new Set(done.filter((id) => id !== null))],
    unknownLessons: done.filter((id) => id === null).length,
    note: noteOf(layout, cells),
    cards,
  }
  return { line, row }
}

const dayIn = (text: string, isMonthFirstColumn: boolean) =>
  isMonthFirstColumn && isAmbiguous(text) ? null : readDay(text)

const unreadDayIn = (heading: string, text: string): MemberRow['unreadDay'] => ({
  column: heading.trim(),
  // We could read it and didn't, so its column has the month first.
  isMonthFirst: isMonthFirst(text) || isAmbiguous(text),
})

/** Text that could be on one of our own forms; null for what couldn't. */
function lineOf(text: string, max: number): string | null {
  const found = v.safeParse(Line(max), text.replace(/\s+/g, ' ').slice(0, max))
  return found.success && found.output !== '' ? found.output : null
}

const line100 = (text: string) => lineOf(text, 100)

const maxNote = 4000

/** Tags, notes and columns we have no field for, one to a line. */
const noteOf = ({ headings, noted }: Layout, cells: readonly string[]): string =>
  noted
    .flatMap((at) => (cells[at]?.trim() ? [`${headings[at]}: ${cells[at].trim()}`] : []))
    .join('\n')
    .slice(0, maxNote)
