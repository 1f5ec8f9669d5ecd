import { type Cell, csvRow } from '#shared/rules/csv.ts'
import type { SharedOptions } from './client.ts'
import { escapeControlCharacters, stripControlCharacters, toSafeLine } from './control-characters.ts'
import { brokenFile, CliError, exitCodes } from './exit-codes.ts'
import { type Io, isColourForced, notify, write } from './io.ts'
import { emptyLabel, sparkline } from './labels.ts'
import {
  type CsvColumn,
  type Detail,
  detailsText,
  type FlatRecord,
  layOutTable,
  type Section,
  type SectionTable,
  type Table,
  tableText,
} from './table.ts'

/** The same environment variable Ink's views use. */
export const isReadOut = ({ env }: Pick<Io, 'env'>) => env.INK_SCREEN_READER === 'true'

/** What a command prints in each format. Only the requested one gets made. */
export type Output = {
  json: unknown
  csv(): CsvData
  text(): string
  /** For a terminal of that width; without it a terminal gets the plain text too. */
  terminal?(width: number): Promise<string>
  notes?: readonly string[]
  /** Something's wrong, so the command exits as failed. */
  hasFailed?: boolean
}

export type CsvData = { head: readonly string[]; rows: readonly (readonly Cell[])[] }

type Format = 'json' | 'jq' | 'csv' | 'terminal' | 'text'

export function formatOf(io: Io, { json, csv, jq }: SharedOptions): Format {
  if (jq !== undefined) return 'jq'
  if (json !== undefined) return 'json'
  if (csv !== undefined) return 'csv'
  // A screen reader gets no frames and rules.
  if (io.env.TERM === 'dumb' || isReadOut(io)) return 'text'
  return io.isTTY.stdout || isColourForced(io) ? 'terminal' : 'text'
}

export async function print(io: Io, options: SharedOptions, output: Output): Promise<void> {
  const wanted = formatOf(io, options)
  const text = await formatOutput(io, options, { output, wanted })
  const isLong = wanted === 'terminal' && text.split('\n').length > (io.rows ?? Infinity)
  await (isLong && io.page !== undefined ? io.page(text) : write(io.stdout, text))
}

type Asked = { output: Output; wanted: Format }

async function formatOutput(io: Io, options: SharedOptions, { output, wanted }: Asked): Promise<string> {
  if (wanted === 'jq') return jqText(output.json, options.jq ?? '.')
  if (wanted === 'json') return `${toJson(await withFields(output.json, options.json))}\n`
  if (wanted === 'csv') return toCsv(await csvWithFields(output.csv(), options.csv))
  if (wanted === 'text' || output.terminal === undefined) return output.text()
  const drawn = `${await output.terminal(io.columns)}\n`
  return io.env.NO_COLOR ? Bun.stripANSI(drawn) : drawn
}

export const toJson = (value: unknown) => escapeControlCharacters(JSON.stringify(value, null, 2))

/** Strings are on lines of their own, for a loop to read; anything else is JSON. */
async function jqText(json: unknown, path: string): Promise<string> {
  const { readPath } = await import('./choose.ts')
  return readPath(json, path)
    .map((one) => `${typeof one === 'string' ? toSafeLine(one) : toJson(one)}\n`)
    .join('')
}

/** The fields `--json` or `--csv` names; null for all of them. */
export const chosenFields = (given: string | true | undefined): string | null =>
  given === undefined || given === true ? null : given

/** The value as requested. Loads the code for choosing fields only if there are any. */
export async function withFields(value: unknown, given: string | true | undefined): Promise<unknown> {
  const fields = chosenFields(given)
  if (fields === null) return value
  const { chooseFields, fieldsOf } = await import('./choose.ts')
  return chooseFields(value, fieldsOf(fields))
}

export async function csvWithFields({ head, rows }: CsvData, given: string | true | undefined): Promise<CsvData> {
  const fields = chosenFields(given)
  if (fields === null) return { head, rows }
  const { fieldsOf, unknownField } = await import('./choose.ts')
  const wanted = fieldsOf(fields)
  const places = wanted.map((field) => {
    const at = head.indexOf(field)
    if (at === -1) throw unknownField(field, head)
    return at
  })
  return { head: wanted, rows: rows.map((row) => places.map((at) => row[at] ?? '')) }
}

/** A sentence next to the output. Scripts that read JSON or CSV get only the output. */
export async function note(io: Io, options: SharedOptions, sentence: string): Promise<void> {
  if (!isForScript(options) && !options.quiet) await notify(io, sentence)
}

export const isForScript = ({ json, csv, jq }: SharedOptions) =>
  json !== undefined || csv !== undefined || jq !== undefined

/** RFC 4180 by the rule the server's exports share; csv-stringify or papaparse would have to match it byte for byte. */
export const toCsv = ({ head, rows }: CsvData, { hasHead = true } = {}) =>
  [...(hasHead ? [head] : []), ...rows].map((row) => csvRow(row.map(toSafeCell))).join('')

/** The server's own CSV in chunks, so we never hold all of it in memory. */
export async function writeCsvStream(io: Io, csv: ReadableStream): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of untilBroken(csv)) {
    if (!(chunk instanceof Uint8Array)) throw new Error('A CSV comes as bytes.')
    await write(io.stdout, stripControlCharacters(decoder.decode(chunk, { stream: true })))
  }
  await write(io.stdout, stripControlCharacters(decoder.decode()))
}

/** The server breaks off the CSV with an error if it couldn't read everything, and so does a lost connection. */
async function* untilBroken(csv: ReadableStream): AsyncGenerator<unknown, void> {
  try {
    yield* csv
  } catch (error) {
    throw brokenFile(error)
  }
}

const toSafeCell = (cell: Cell) => (typeof cell === 'string' ? stripControlCharacters(cell) : cell)

export const tableWithRows = <Row>(
  { columns, empty }: Pick<Table<Row>, 'columns' | 'empty'>,
  rows: readonly Row[],
  siteUrl?: string,
): SectionTable => ({
  empty,
  text: () => (rows.length === 0 ? `${empty}\n` : tableText(columns, rows)),
  layOut: (width) => (rows.length === 0 ? null : layOutTable(columns, rows, { width, siteUrl })),
})

export const csvOfRows = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): CsvData => ({
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

const sectionTexts = ({ details, table, lines = [], note }: Section): string[] => [
  ...(details === undefined ? [] : [detailsText(details)]),
  ...(table === undefined ? [] : [table.text()]),
  ...(lines.length === 0 ? [] : [lines.map((line) => `${toSafeLine(line)}\n`).join('')]),
  ...(note === undefined ? [] : [`${note}\n`]),
]

export const tableOutput = <Row>(table: Table<Row>, rows: readonly Row[], siteUrl?: string): Output =>
  sectionsOutput({ json: rows, csv: () => csvOfRows(table.csv, rows) }, [
    { title: table.title, table: tableWithRows(table, rows, siteUrl) },
  ])

type Report<Row> = {
  title: string
  details: readonly Detail[]
  table: Table<Row>
  rows: readonly Row[]
  json: unknown
  csv?: () => CsvData
  note?: string | undefined
}

export const reportOutput = <Row>({ title, details, table, rows, json, csv, note }: Report<Row>): Output =>
  sectionsOutput({ json, csv: csv ?? (() => csvOfRows(table.csv, rows)) }, [
    { title, details, table: tableWithRows(table, rows), ...(note === undefined ? {} : { note }) },
  ])

export function chartedOutput<Row>(
  table: Table<Row>,
  rows: readonly Row[],
  label: string,
  height: (row: Row) => number,
) {
  const details = [{ label, value: sparkline(rows.map(height)) }]
  return rows.length === 0
    ? tableOutput(table, rows)
    : reportOutput({ title: table.title, details, table, rows, json: rows })
}

export const csvOfRecord = (record: FlatRecord): CsvData => ({
  head: Object.keys(record),
  rows: [Object.values(record)],
})

/** One thing: its details for people, and as a record for CSV. */
export const recordOutput = (title: string, details: readonly Detail[], record: FlatRecord, json: unknown = record) =>
  sectionsOutput({ json, csv: () => csvOfRecord(record) }, [{ title, details }])

/** With the extra sentences. If the output says something's wrong, so does the exit code. */
export async function printShown({ io, options }: { io: Io; options: SharedOptions }, output: Output): Promise<void> {
  await print(io, options, output)
  for (const sentence of output.notes ?? []) await note(io, options, sentence)
  if (output.hasFailed) throw new CliError(exitCodes.failed)
}

export const printRecord = (io: Io, options: SharedOptions, record: FlatRecord) =>
  print(io, options, { json: record, csv: () => csvOfRecord(record), text: () => '' })

/** A link on a line of its own, even on a terminal: you copy it, so it mustn't wrap. */
export const linkOutput = (json: object, url: string, record: FlatRecord): Output => ({
  json,
  csv: () => csvOfRecord(record),
  text: () => `${toSafeLine(url)}\n`,
})

/** Counts under the API's own names, such as a job's: `limitHits` shows as "Limit hits". */
export function countsOutput(json: unknown, title: string, counts: Readonly<Record<string, unknown>>): Output {
  const rows = Object.entries(counts).map(([name, value]) => [name, String(value)] as const)
  const details = rows.map(([name, value]) => ({
    label: toWords(name),
    value: counts[name] === null ? emptyLabel : value,
  }))
  const section: Section = rows.length === 0 ? { title, note: 'Done.' } : { title, details }
  return sectionsOutput({ json, csv: () => ({ head: ['name', 'value'], rows }) }, [section])
}

const toWords = (name: string) =>
  name
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase())
