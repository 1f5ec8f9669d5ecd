import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { AppError } from '#api/errors.ts'
import { standAt } from '#api/file-position.ts'
import { withoutCards } from './cards-rules.ts'
import { type CsvRecord, startCsv } from './csv-rules.ts'
import { encodingOf } from './encoding-service.ts'
import { textOf } from './long-values-rules.ts'

/**
 * A row of a table file. `line` is where it begins. `cards` counts the card numbers that were left out of its cells. One that's
 * too long has no cells.
 */
export type TableRow = { line: number; cells: string[]; cards: number; isTooLong: boolean }

const sampleBytes = 65_536
/** Far more than a spreadsheet for people has. */
const mostColumns = 1_000

/** Reads a CSV as a stream, whatever its encoding and whatever stands between its columns. The first row is the headings. */
export async function* readTable(path: string): AsyncGenerator<TableRow> {
  const { encoding, delimiter, saysDelimiter } = await lookAt(path)
  let above: CsvRecord[] | null = []
  for await (const record of recordsOf(path, encoding, delimiter)) {
    if (saysDelimiter && record.line === 1) continue
    if (above === null) yield rowOf(record)
    else if (filledIn(record) > 1 || above.length === mostAbove) {
      if (!isHeadings(record)) yield* above.map(rowOf)
      above = null
      yield rowOf(record)
    } else above.push(record)
  }
  yield* (above ?? []).map(rowOf)
}

/** Lines above the headings, such as Numbers' “Table 1”. */
const mostAbove = 5
const filledIn = ({ cells }: CsvRecord) => cells.filter((cell) => cell.trim() !== '').length
/** Not someone's row in a table whose other columns have no headings. */
const isHeadings = (record: CsvRecord) => filledIn(record) > 1 && !record.cells.some((cell) => /@|:\/\//.test(cell))

async function* recordsOf(path: string, encoding: string, delimiter: string): AsyncGenerator<CsvRecord> {
  const csv = startCsv(delimiter)
  for await (const piece of textOf(createReadStream(path), encoding)) yield* csv.write(piece)
  const { records, openQuotes } = csv.end()
  if (openQuotes !== null) throw new AppError('invalid', `The quotes that open on line ${openQuotes} never close.`)
  yield* records
}

function rowOf({ line, cells, isTooLong }: CsvRecord): TableRow {
  standAt(line)
  const found = cells.map((cell) => withoutCards(asText(cell)))
  const cards = found.reduce((sum, one) => sum + one.cards, 0)
  return { line, cells: found.map(({ text }) => text), cards, isTooLong }
}

/**
 * Spreadsheets are kept from counting with text by `="07…"`, or by an apostrophe before what looks like a formula, as in files that
 * are saved here.
 */
function asText(cell: string): string {
  const formula = /^="([^"]*)"$/.exec(cell.trim())
  return formula?.[1] ?? cell.replace(/^\s*['\u2019](?=[+=@-]|\d[\d\s().-]*$)/, '')
}

export async function readHeadings(rows: AsyncGenerator<TableRow>): Promise<string[]> {
  const { value } = await rows.next()
  if (value?.isTooLong) throw new AppError('invalid', `Line ${value.line} is too long. Is this a CSV file?`)
  const headings: string[] = value?.cells ?? []
  if (headings.length > mostColumns)
    throw new AppError(
      'invalid',
      `This file has more than ${mostColumns.toLocaleString('en-GB')} columns. Is it the right one?`,
    )
  return headings
}

/** The start of a file tells what it is, and what stands between its columns. */
async function lookAt(path: string) {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes)
    const bytes = buffer.subarray(0, bytesRead)
    if (isSheet(bytes)) throw new AppError('invalid', 'This is a spreadsheet. Open it and save it as CSV.')
    if (startsWith(bytes, 'PK'))
      throw new AppError('invalid', `This is a ZIP. ${isItPosts} Or unpack it and choose the CSV.`)
    const encoding = await encodingOf(path, bytes)
    const text = new TextDecoder(encoding).decode(bytes)
    if (/^[\s\uFEFF]*[[{<]/.test(text)) throw new AppError('invalid', `This isn’t a CSV. ${isItPosts}`)
    // Excel's own word for what stands between the columns.
    const said = /^\uFEFF?"?sep=([,;|\t])"?\r?\n/i.exec(text)?.[1]
    const line = text.split(/[\r\n]/, 2 * mostAbove).find((one) => /[,;\t]/.test(one)) ?? ''
    const [first = ','] = [',', ';', '\t'].sort((one, other) => line.split(other).length - line.split(one).length)
    return { encoding, delimiter: said ?? first, saysDelimiter: said !== undefined }
  } finally {
    await file.close()
  }
}

const isItPosts = 'If it’s posts, move it in as posts.'

const startsWith = (bytes: Buffer, text: string) => bytes.toString('latin1', 0, text.length) === text

/** XLSX, ODS and Numbers are ZIP files that begin with certain names. An XLS has its own mark. */
const isSheet = (bytes: Buffer) =>
  startsWith(bytes, '\u00d0\u00cf\u0011\u00e0') ||
  (startsWith(bytes, 'PK') && /\[Content_Types\]\.xml|xl\/|opendocument|Index\/\w/.test(bytes.toString('latin1')))
