import { cleanText } from './clean.ts'

export type Cell = string | number | boolean | null
export type Sheet = { head: readonly string[]; rows: readonly (readonly Cell[])[] }

/** RFC 4180: CRLF, a heading row, quotes where they are needed. */
export const toCsv = ({ head, rows }: Sheet) =>
  [head, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('')

function toCell(cell: Cell): string {
  if (cell === null) return ''
  const text = typeof cell === 'string' ? unarmed(cleanText(cell)) : String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A spreadsheet runs a cell that starts like a formula; behind an apostrophe it is text. */
const unarmed = (text: string) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)
