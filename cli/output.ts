import { type Cell, csvRow } from '#shared/rules/csv.ts'
import type { SharedOptions } from './client.ts'
import { escapeControlCharacters, stripControlCharacters, toSafeLine } from './control-characters.ts'
import { type Io, notify, write } from './io.ts'
import {
  type CsvColumn,
  type Detail,
  detailsText,
  layOutTable,
  type Section,
  type SectionTable,
  type Table,
  tableText,
} from './table.ts'

/** What a command prints, in each format; only the requested one is made. */
export type Output = {
  json: unknown
  csv(): CsvSheet
  text(): string
  /** For a terminal of that width; without it the plain text is printed there too. */
  terminal?(width: number): Promise<string>
}

export type CsvSheet = { head: readonly string[]; rows: readonly (readonly Cell[])[] }

type Format = 'json' | 'csv' | 'terminal' | 'text'

export function formatOf(io: Io, { json, csv }: SharedOptions): Format {
  if (json) return 'json'
  if (csv) return 'csv'
  return io.isTTY.stdout && io.env.TERM !== 'dumb' ? 'terminal' : 'text'
}

export async function print(io: Io, options: SharedOptions, output: Output): Promise<void> {
  await write(io.stdout, await format(io, options, output))
}

async function format(io: Io, options: SharedOptions, output: Output): Promise<string> {
  const wanted = formatOf(io, options)
  if (wanted === 'json') return `${escapeControlCharacters(JSON.stringify(output.json, null, 2))}\n`
  if (wanted === 'csv') return toCsv(output.csv())
  if (wanted === 'text' || output.terminal === undefined) return output.text()
  const drawn = `${await output.terminal(io.columns)}\n`
  return io.env.NO_COLOR ? Bun.stripANSI(drawn) : drawn
}

/** A sentence beside the output. Scripts, which read JSON or CSV, get the output alone. */
export async function note(io: Io, options: SharedOptions, sentence: string): Promise<void> {
  if (!isForScript(options)) await notify(io, sentence)
}

export const isForScript = ({ json, csv }: SharedOptions) => json === true || csv === true

/** RFC 4180 by the rule that the server's exports share; csv-stringify or papaparse would have to match it byte for byte. */
export const toCsv = ({ head, rows }: CsvSheet, { hasHead = true } = {}) =>
  [...(hasHead ? [head] : []), ...rows].map((row) => csvRow(row.map(toSafeCell))).join('')

const toSafeCell = (cell: Cell) => (typeof cell === 'string' ? stripControlCharacters(cell) : cell)

export const tableWithRows = <Row>(
  { columns, empty }: Pick<Table<Row>, 'columns' | 'empty'>,
  rows: readonly Row[],
): SectionTable => ({
  empty,
  text: () => (rows.length === 0 ? `${empty}\n` : tableText(columns, rows)),
  layOut: (width) => (rows.length === 0 ? null : layOutTable(columns, rows, width)),
})

export const csvSheet = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): CsvSheet => ({
  head: columns.map(({ name }) => name),
  rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
})

export const sectionsOutput = (data: Pick<Output, 'json' | 'csv'>, sections: readonly Section[]): Output => ({
  ...data,
  text: () => sections.flatMap(sectionTexts).join('\n'),
  async terminal(width) {
    const { drawSections } = await import('#cli/views/sections.tsx')
    return drawSections(sections, width)
  },
})

const sectionTexts = ({ details, table, note }: Section): string[] => [
  ...(details === undefined ? [] : [detailsText(details)]),
  ...(table === undefined ? [] : [table.text()]),
  ...(note === undefined ? [] : [`${note}\n`]),
]

export const tableOutput = <Row>(table: Table<Row>, rows: readonly Row[]): Output =>
  sectionsOutput({ json: rows, csv: () => csvSheet(table.csv, rows) }, [
    { title: table.title, table: tableWithRows(table, rows) },
  ])

type Report<Row> = {
  title: string
  details: readonly Detail[]
  table: Table<Row>
  rows: readonly Row[]
  json: unknown
  /** Where the file says more than the rows. */
  csv?: () => CsvSheet
  note?: string | undefined
}

/** Details over a table of what they sum up; the CSV is the table's. */
export const reportOutput = <Row>({ title, details, table, rows, json, csv, note }: Report<Row>): Output =>
  sectionsOutput({ json, csv: csv ?? (() => csvSheet(table.csv, rows)) }, [
    { title, details, table: tableWithRows(table, rows), ...(note === undefined ? {} : { note }) },
  ])

type FlatRecord = Readonly<Record<string, Cell>>

/** Flat values as one row of CSV. */
export const recordSheet = (record: FlatRecord): CsvSheet => ({
  head: Object.keys(record),
  rows: [Object.values(record)],
})

/** The outcome of a command: a sentence for people, the values for scripts. */
export async function printOutcome(
  io: Io,
  options: SharedOptions,
  { record, sentence }: { record: FlatRecord; sentence: string },
): Promise<void> {
  await (isForScript(options) ? printRecord(io, options, record) : notify(io, sentence))
}

export const printRecord = (io: Io, options: SharedOptions, record: FlatRecord) =>
  print(io, options, { json: record, csv: () => recordSheet(record), text: () => '' })

/** A link alone on its line, on a terminal too: it is there to be copied, and must not be wrapped. */
export const linkOutput = (json: object, url: string, record: FlatRecord): Output => ({
  json,
  csv: () => recordSheet(record),
  text: () => `${toSafeLine(url)}\n`,
})

/** Counts under the API's own names, such as those of a job's run: `limitHits` is shown as "Limit hits". */
export function countsOutput(json: unknown, title: string, counts: Readonly<Record<string, unknown>>): Output {
  const rows = Object.entries(counts).map(([name, value]) => [name, String(value)] as const)
  const details = rows.map(([name, value]) => ({ label: toWords(name), value }))
  const section: Section = rows.length === 0 ? { title, note: 'Done.' } : { title, details }
  return sectionsOutput({ json, csv: () => ({ head: ['name', 'value'], rows }) }, [section])
}

const toWords = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase())
