import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import * as v from 'valibot'
import { AppError } from '#api/errors.ts'
import { withoutCards } from './cards-rules.ts'

/** A row of a table file. `line` is where it begins. `cards` counts the card numbers that were left out of its cells. */
export type TableRow = { line: number; cells: string[]; cards: number }

const sampleBytes = 65_536
/** Far more than any person or lesson has. */
const maxRecordBytes = 2_000_000

const Parsed = v.object({ record: v.array(v.string()), info: v.object({ lines: v.number() }) })

/** Reads a CSV as a stream, whatever its encoding and whatever stands between its columns. The first row is the headings. */
export async function* readTable(path: string): AsyncGenerator<TableRow> {
  const { encoding, delimiter } = await lookAt(path)
  const parser = parse({
    ...{ bom: true, delimiter, info: true, relax_column_count: true, relax_quotes: true },
    ...{ skip_empty_lines: true, max_record_size: maxRecordBytes },
  })
  // A fault of either end then reaches the loop below.
  pipeline(Readable.from(textOf(path, encoding)), parser, () => {})
  let line = 1
  try {
    for await (const parsed of parser) {
      const { record, info } = v.parse(Parsed, parsed)
      const cells = record.map(withoutCards)
      const cards = cells.reduce((sum, { cards: found }) => sum + found, 0)
      yield { line, cells: cells.map(({ text }) => text), cards }
      line = info.lines + 1
    }
  } catch (error) {
    throw faultOf(error, line)
  }
}

function faultOf(error: unknown, line: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new AppError('invalid', `The quotes that open on line ${line} never close.`)
  if (code === 'CSV_MAX_RECORD_SIZE') return new AppError('invalid', `Line ${line} is too long. Is this a CSV file?`)
  return error
}

async function* textOf(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
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
    const encoding = marked(bytes) ?? (await unmarked(path))
    const text = new TextDecoder(encoding).decode(bytes)
    if (/^[\s\uFEFF]*[[{<]/.test(text)) throw new AppError('invalid', `This isn’t a CSV. ${isItPosts}`)
    const [line = ''] = text.split(/\r?\n/)
    const [first = ','] = [',', ';', '\t'].sort((one, other) => line.split(other).length - line.split(one).length)
    return { encoding, delimiter: first }
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

const marked = ([first, second]: Buffer): string | null =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null

/** The first accent may be on the last line, so the whole file is looked at. */
async function unmarked(path: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of createReadStream(path)) decoder.decode(bytes, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252'
    throw error
  }
}
