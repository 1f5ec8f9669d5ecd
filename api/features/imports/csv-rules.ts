import { mostValue } from './long-values-rules.ts'

/** A row, and the line it begins on. What's too long isn't kept. */
export type CsvRecord = { line: number; cells: string[]; isTooLong: boolean }

/** Far more than any person or video has. */
const mostOfRecord = 2 * mostValue

type Csv = {
  delimiter: number
  line: number
  /** Where the record began, and where its last quotes opened. */
  recordLine: number
  quotesLine: number
  cells: string[]
  cell: string
  /** `quote`: after a quote within quotes, which ends them or is the first of two. */
  place: 'start' | 'plain' | 'quoted' | 'quote' | 'closed'
  length: number
  isTooLong: boolean
  isAfterReturn: boolean
  done: CsvRecord[]
}

const codeOf = (mark: string) => mark.charCodeAt(0)
const [quote, lineFeed, carriageReturn] = [codeOf('"'), codeOf('\n'), codeOf('\r')]

/**
 * Reads a CSV piece by piece, so that no cell is held whole only because it's in the file. Quotes count at the start of a cell
 * alone. If text follows their end they were part of the text, and the cell goes on without. Empty lines are skipped.
 */
export function startCsv(delimiter: string) {
  const csv: Csv = {
    delimiter: codeOf(delimiter),
    line: 1,
    recordLine: 1,
    quotesLine: 1,
    cells: [],
    cell: '',
    place: 'start',
    length: 0,
    isTooLong: false,
    isAfterReturn: false,
    done: [],
  }
  return {
    write(piece: string): CsvRecord[] {
      for (let at = 0; at < piece.length; ) at = readOn(csv, piece, at)
      return csv.done.splice(0)
    },
    /** `openQuotes`: the line of quotes that never close. */
    end(): { records: CsvRecord[]; openQuotes: number | null } {
      if (csv.place === 'quoted') return { records: [], openQuotes: csv.quotesLine }
      endRecord(csv)
      return { records: csv.done, openQuotes: null }
    },
  }
}

/** Reads on from `at`, and returns how far it came. */
function readOn(csv: Csv, piece: string, at: number): number {
  const code = piece.charCodeAt(at)
  if (csv.place === 'quoted') return readQuoted(csv, piece, at)
  if (code === quote && csv.place === 'start') {
    csv.place = 'quoted'
    csv.quotesLine = csv.line
    csv.isAfterReturn = false
    return at + 1
  }
  if (csv.place === 'quote') {
    if (code === quote) keep(csv, '"')
    csv.place = code === quote ? 'quoted' : 'closed'
    return code === quote ? at + 1 : at
  }
  const end = endOfPlain(csv, piece, at)
  if (end > at) {
    if (csv.place === 'closed') csv.cell = `"${csv.cell}"`
    csv.place = 'plain'
    csv.isAfterReturn = false
    keep(csv, piece.slice(at, end))
    return end
  }
  endCellOrLine(csv, code)
  return at + 1
}

function readQuoted(csv: Csv, piece: string, at: number): number {
  const found = piece.indexOf('"', at)
  const text = piece.slice(at, found < 0 ? piece.length : found)
  keep(csv, text)
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) csv.line += 1
  if (found >= 0) csv.place = 'quote'
  return found < 0 ? piece.length : found + 1
}

function endOfPlain({ delimiter }: Csv, piece: string, from: number): number {
  for (let at = from; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at)
    if (code === delimiter || code === lineFeed || code === carriageReturn) return at
  }
  return piece.length
}

function endCellOrLine(csv: Csv, code: number): void {
  if (code === csv.delimiter) {
    endCell(csv)
    csv.isAfterReturn = false
    return
  }
  if (code !== lineFeed || !csv.isAfterReturn) {
    endRecord(csv)
    csv.line += 1
    csv.recordLine = csv.line
  }
  csv.isAfterReturn = code === carriageReturn
}

function keep(csv: Csv, text: string): void {
  csv.length += text.length
  if (csv.cell.length + text.length > mostValue || csv.length > mostOfRecord) csv.isTooLong = true
  if (!csv.isTooLong) csv.cell += text
}

function endCell(csv: Csv): void {
  csv.length += 1
  if (csv.isTooLong || csv.length > mostOfRecord) csv.isTooLong = true
  else csv.cells.push(csv.cell)
  csv.cell = ''
  csv.place = 'start'
}

function endRecord(csv: Csv): void {
  const isEmpty = csv.cells.length === 0 && csv.length === 0 && csv.place === 'start'
  endCell(csv)
  const { recordLine: line, isTooLong } = csv
  if (!isEmpty) csv.done.push({ line, isTooLong, cells: isTooLong ? [] : csv.cells })
  Object.assign(csv, { cells: [], length: 0, isTooLong: false })
}
