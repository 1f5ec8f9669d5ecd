import * as v from 'valibot'
import { Email, Line } from '#shared/contract/fields.ts'
import type { ImportColumn, ImportOptions, MemberImportField } from '#shared/contract/imports.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import type { ReadFile, ReadRow } from './kind-rules.ts'
import { tooLong } from './long-values-rules.ts'
import {
  type Block,
  blockOf,
  bounceOf,
  describeColumns,
  type FieldColumns,
  findColumns,
  formatOf,
  isAmbiguous,
  isMonthFirst,
  isNo,
  isSecret,
  isYes,
  missingHeading,
  notedColumns,
  readDay,
  splitName,
  strictestBlock,
  videosOf,
} from './members-rules.ts'
import { readHeadings, readTable, type TableRow } from './table-service.ts'

export type UnreadDay = { column: string; isMonthFirst: boolean }

/** A person as a file describes them. */
export type MemberRow = {
  email: string
  firstName: string
  lastName: string
  phone: string | null
  /** What a spreadsheet made of a phone number: `7.7E+09`. */
  shortenedPhone: string | null
  businessName: string | null
  trade: string | null
  joined: string | null
  /** The last day they've paid for elsewhere. */
  paidUntil: string | null
  /** Set if we can't read the day they've paid until. */
  unreadDay: UnreadDay | null
  /** The same of the day they joined. */
  unreadJoined: UnreadDay | null
  /** They had it for free there. */
  isComplimentary: boolean
  isSubscribed: boolean
  /** They said no, not just nothing. */
  saysNo: boolean
  block: Block | null
  /** What they pay for there, as the file names it. */
  plan: string
  videoIds: string[]
  unknownVideos: number
  note: string
  cards: number
}

/** `videos` are our videos' ids, by the folded names a file may have them under. */
export type MembersOptions = { options: ImportOptions; videos: ReadonlyMap<string, string> }

type Layout = MembersOptions & {
  headings: readonly string[]
  columns: FieldColumns
  /** Columns no field takes, and those of notes. */
  noted: readonly number[]
  /** Columns where one day must have the month first, so we can't trust their other days. */
  monthFirst: ReadonlySet<number>
  blocked: readonly BlockedColumn[]
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
  const blocked = blockedColumns(headings, columns, options)
  const { monthFirst, blocks, plans } = await lookThrough(problem === null ? file : null, columns, blocked)
  const noted = options.keepsNotes ? notedColumns(headings, columns) : []
  const layout = { ...given, headings, columns, noted, monthFirst, blocked }
  const described = describeColumns(layout, sampleOf(headings, first))
  return {
    source: formatOf(headings),
    problem,
    columns: described.map((column, at) => ({
      ...column,
      ...(blocks.has(at) ? { blocks: blocks.get(at) } : {}),
      ...(at === columns.plan?.[0] && plans.length > 0 ? { plans } : {}),
    })),
    rows: readMembers(layout, first, rows),
  }
}

type BlockedColumn = { at: number; heading: string; isChosen: boolean }

const blockedColumns = (headings: readonly string[], columns: FieldColumns, { columns: chosen }: ImportOptions) =>
  (columns.blocked ?? []).map((at) => ({ at, heading: headings[at] ?? '', isChosen: chosen.blocked !== undefined }))

/** How many addresses a column would block and how many not, with a few of its values. */
type Blocks = NonNullable<ImportColumn['blocks']>

/** The day that gives a column away may be on the last line, so the file is read once before. */
async function lookThrough(
  file: string | null,
  { joined = [], paidUntil = [], plan = [] }: FieldColumns,
  blocked: readonly BlockedColumn[],
) {
  const monthFirst = new Set<number>()
  const none = (): Blocks => ({ blocked: { count: 0, samples: [] }, others: { count: 0, samples: [] } })
  const blocks = new Map(blocked.map(({ at }) => [at, none()]))
  const days = [...joined, ...paidUntil]
  const named = new Map<string, number>()
  if (file === null || days.length + blocked.length + plan.length === 0) return { monthFirst, blocks, plans: [] }
  const rows = readTable(file)
  await rows.next()
  for await (const { cells } of rows) {
    for (const at of days) if (isMonthFirst(cells[at] ?? '')) monthFirst.add(at)
    for (const column of blocked) countBlock(blocks.get(column.at) ?? none(), cells[column.at] ?? '', column)
    const name = planIn(cells, plan)
    if (name !== '' && (named.has(name) || named.size < mostPlans)) named.set(name, (named.get(name) ?? 0) + 1)
    if (blocked.length + plan.length === 0 && monthFirst.size === days.length) break
  }
  const plans = [...named].map(([one, lines]) => ({ name: one, lines, tier: null }))
  return { monthFirst, blocks, plans: plans.toSorted((one, other) => other.lines - one.lines) }
}

/** A column with more of them names something else, such as all that people ever bought. */
const mostPlans = 50

const planIn = (cells: readonly string[], columns: readonly number[]) =>
  (columns.map((at) => cells[at]?.trim() ?? '').find(Boolean) ?? '').replace(/\s+/g, ' ').slice(0, 200)

const shownSamples = 3

function countBlock({ blocked, others }: Blocks, text: string, { heading, isChosen }: BlockedColumn): void {
  const side = blockOf(text, heading, isChosen) === null ? others : blocked
  const value = text.trim().slice(0, 80)
  side.count += 1
  if (side.samples.length < shownSamples && value !== '' && !side.samples.includes(value)) side.samples.push(value)
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
  const { columns, headings, videos, monthFirst } = layout
  const at = (field: MemberImportField) => columns[field]?.find((index) => cells[index]?.trim()) ?? -1
  const cell = (field: MemberImportField) => cells[at(field)]?.trim() ?? ''
  const email = v.safeParse(Email, cell('email'))
  if (!email.success)
    return { line, refused: cell('email') === '' ? 'There’s no email address.' : 'This isn’t an email address.' }
  const day = (field: MemberImportField) => dayIn(cell(field), monthFirst.has(at(field)))
  const unread = (field: MemberImportField) =>
    cell(field) === '' || day(field) !== null ? null : unreadDayIn(headings[at(field)] ?? '', cell(field))
  const said = (columns.subscribed ?? []).map((index) => cells[index] ?? '')
  const name = splitName(cell('name'))
  const done = videosOf(cell('lessonsDone')).map((one) => videos.get(foldText(one)) ?? null)
  const row: MemberRow = {
    email: email.output,
    firstName: line100(cell('firstName')) ?? line100(name.firstName) ?? '',
    lastName: line100(cell('lastName')) ?? (cell('firstName') === '' ? (line100(name.lastName) ?? '') : ''),
    phone: shortened.test(cell('phone')) ? null : lineOf(cell('phone'), 50),
    shortenedPhone: shortened.test(cell('phone')) ? cell('phone').slice(0, 20) : null,
    businessName: lineOf(cell('businessName'), 200),
    trade: lineOf(cell('trade'), 200),
    joined: day('joined'),
    paidUntil: day('paidUntil'),
    unreadDay: unread('paidUntil'),
    unreadJoined: unread('joined'),
    isComplimentary: isYes(cell('complimentary')),
    isSubscribed: isYes(cell('subscribed')) && !said.some(isNo),
    saysNo: said.some(isNo),
    block: strictestBlock([
      ...layout.blocked.map((one) => blockOf(cells[one.at] ?? '', one.heading, one.isChosen)),
      ...said.map(bounceOf),
    ]),
    plan: planIn(cells, columns.plan ?? []),
    videoIds: [...new Set(done.filter((id) => id !== null))],
    unknownVideos: done.filter((id) => id === null).length,
    note: noteOf(layout, cells),
    cards,
  }
  return { line, row }
}

const shortened = /^\d(?:[.,]\d+)?e\+?\d+$/i

const dayIn = (text: string, isMonthFirstColumn: boolean) =>
  isMonthFirstColumn && isAmbiguous(text) ? null : readDay(text)

const unreadDayIn = (heading: string, text: string): UnreadDay => ({
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
    .flatMap((at) => {
      const text = cells[at]?.trim() ?? ''
      return text === '' || isSecret(text) ? [] : [`${headings[at]}: ${text}`]
    })
    .join('\n')
    .slice(0, maxNote)
