// Weighed: cli-table3 (fixed column widths), ink-table (made for Ink 3) and @oclif/table (brings its own older Ink). None drops
// columns on a narrow terminal, which is most of this file; Bun measures and cuts text.
import type { Cell } from '#shared/rules/csv.ts'
import { toSafeLine } from './control-characters.ts'

/** A cell's colour. `success` and `error` only repeat in colour what the text says. */
export type Tone = 'success' | 'error' | 'muted'

export type Column<Row> = {
  title: string
  text(row: Row): string
  align?: 'right'
  tone?(row: Row): Tone | undefined
  /** The cell's link on terminals that open addresses: a path of the site, or an absolute address. */
  link?(row: Row): string | null
  /** On a narrow terminal, columns with the highest number go first. A column without one stays. */
  dropOrder?: number
  minWidth?: number
  /** Other columns are dropped before this one gets narrower than that. */
  wantedWidth?: number
  /** Tells the rows apart, such as an email address. It's never cut: every other column makes room for it. */
  identifies?: true
}

/** Flat values by their names: one row of CSV. */
export type FlatRecord = Readonly<Record<string, Cell>>

export type CsvColumn<Row> = { name: string; cell: (row: Row) => Cell }

export type Table<Row> = {
  /** Its rows are people: from afar, a CSV of many asks for the password. */
  isOfPeople?: true
  title: string
  columns: readonly Column<Row>[]
  csv: readonly CsvColumn<Row>[]
  empty: string
}

/** CSV columns that are properties of the row, under their JSON names. The groups only keep lines short. */
export const csvFields = <Field extends string>(...groups: (readonly Field[])[]): CsvColumn<Record<Field, Cell>>[] =>
  groups.flat().map((name) => ({ name, cell: (row) => row[name] }))

type LaidOutCell = { text: string; tone?: Tone | undefined; link?: string | undefined }
export type TableLayout = { titles: string[]; width: number; rows: LaidOutCell[][]; dropped: string[] }

const gapWidth = 2
export const columnGap = ' '.repeat(gapWidth)

type Room = { width?: number; siteUrl?: string | undefined }

/** Cuts and pads all cells so that columns align and no line is wider than `width`. */
export function layOutTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Infinity, siteUrl }: Room = {},
): TableLayout {
  const measured = columns.map((column) => {
    const texts = rows.map((row) => toSafeLine(column.text(row)))
    return { column, texts, width: Math.max(...[column.title, ...texts].map((text) => Bun.stringWidth(text))) }
  })
  const fitted = shrinkToFit(dropWhole(dropToFit(measured, width), width), width)
  return {
    titles: fitted.map(({ column, width }) => padText(column.title, width, column.align)),
    width: totalWidth(fitted.map(({ width }) => width)),
    dropped: columns.filter((column) => !fitted.some((one) => one.column === column)).map(({ title }) => title),
    rows: rows.map((row, index) =>
      fitted.map(({ column, texts, width }) => ({
        text: padText(cutTo(texts[index] ?? '', column, width), width, column.align),
        tone: column.tone?.(row),
        link: addressOf(column.link?.(row) ?? null, siteUrl),
      })),
    ),
  }
}

/** An identifying cell that's wider than the terminal continues on the next line. */
const cutTo = <Row>(text: string, { identifies }: Column<Row>, width: number) =>
  identifies ? text : Bun.sliceAnsi(text, 0, width, '…')

const addressOf = (link: string | null, siteUrl: string | undefined): string | undefined =>
  link !== null && URL.canParse(link, siteUrl) ? new URL(link, siteUrl).href : undefined

type MeasuredColumn<Row> = { column: Column<Row>; texts: string[]; width: number }

const totalWidth = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + gapWidth, -gapWidth)

/** How narrow a column gets while others can still shrink. An identifying one doesn't. */
const narrowestWidth = <Row>({ column, width }: MeasuredColumn<Row>) =>
  column.identifies ? width : Math.min(width, column.wantedWidth ?? column.minWidth ?? width)

function dropToFit<Row>(columns: MeasuredColumn<Row>[], width: number): MeasuredColumn<Row>[] {
  const narrowest = totalWidth(columns.map(narrowestWidth))
  const highest = Math.max(...columns.map(({ column }) => column.dropOrder ?? 0))
  if (narrowest <= width || highest === 0) return columns
  return dropToFit(
    columns.filter(({ column }) => column.dropOrder !== highest),
    width,
  )
}

/** A column's minimum: a cut figure would be another figure, and half an address no address. */
const leastWidth = <Row>({ column, width }: MeasuredColumn<Row>) =>
  column.identifies || column.align === 'right' ? width : Math.min(width, column.minWidth ?? width)

/** If even that is too wide, drops whole columns, rightmost first: words, then figures, and identifying ones last. */
function dropWhole<Row>(columns: MeasuredColumn<Row>[], width: number): MeasuredColumn<Row>[] {
  if (totalWidth(columns.map(leastWidth)) <= width || columns.length <= 1) return columns
  const identifying = columns.find(({ column }) => column.identifies) ?? columns[0]
  const others = columns.filter((one) => one !== identifying)
  const least =
    others.findLast(({ column }) => !column.identifies && column.align !== 'right') ??
    others.findLast(({ column }) => !column.identifies) ??
    others.at(-1)
  return dropWhole(
    columns.filter((one) => one !== least),
    width,
  )
}

/** Takes one character at a time from the widest column that can still shrink. */
function shrinkToFit<Row>(columns: MeasuredColumn<Row>[], width: number): MeasuredColumn<Row>[] {
  const least = columns.map(leastWidth)
  const widths = columns.map((one) => one.width)
  while (totalWidth(widths) > width) {
    const candidates = widths.map((now, at) => (now > (least[at] ?? 0) ? now : 0))
    const most = Math.max(...candidates)
    if (most === 0) break
    widths[candidates.indexOf(most)] = most - 1
  }
  return columns.map((one, at) => ({ ...one, width: Math.min(widths[at] ?? one.width, width) }))
}

function padText(text: string, width: number, align?: 'right'): string {
  const space = ' '.repeat(Math.max(0, width - Bun.stringWidth(text)))
  return align === 'right' ? space + text : text + space
}

/** For pipes and plain terminals: every column, nothing cut. */
export const tableText = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  createTableWriter(columns)(rows)

/** The same for a list that comes page by page, titles first. If a later page needs a wider column, it grows from there on. */
export function createTableWriter<Row>(columns: readonly Column<Row>[]): (rows: readonly Row[]) => string {
  let widths = columns.map(({ title }) => Bun.stringWidth(title))
  let waiting = [columns.map(({ title }) => title)]
  return (rows) => {
    const lines = rows.map((row) => columns.map((column) => toSafeLine(column.text(row))))
    for (const line of lines) widths = widths.map((width, at) => Math.max(width, Bun.stringWidth(line[at] ?? '')))
    const all = [...waiting, ...lines]
    waiting = []
    return all
      .map((line) => toLine(line.map((text, at) => padText(text, widths[at] ?? 0, columns[at]?.align))))
      .join('')
  }
}

const toLine = (cells: readonly string[]) => `${cells.join(columnGap).trimEnd()}\n`

export type Detail = { label: string; value: string; tone?: Tone | undefined }

export function detailsText(details: readonly Detail[]): string {
  const safe = details.map(({ label, value }) => ({ label: toSafeLine(label), value: toSafeLine(value) }))
  const width = Math.max(...safe.map(({ label }) => Bun.stringWidth(label)))
  return safe.map(({ label, value }) => `${padText(label, width)}${columnGap}${value}\n`).join('')
}

/** One part of an output: details, then a table, lines that wrap, and a note. Plain text omits the title. */
export type Section = {
  title: string
  details?: readonly Detail[]
  table?: SectionTable
  lines?: readonly string[]
  note?: string
}

export type SectionTable = { text(): string; layOut(width: number): TableLayout | null; empty: string }
