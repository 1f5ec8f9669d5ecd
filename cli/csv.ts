import { type Cell, csvRow } from '#shared/rules/csv.ts'
import { cleanText } from './clean.ts'

export type Sheet = { head: readonly string[]; rows: readonly (readonly Cell[])[] }

/** RFC 4180: CRLF, a heading row, quotes where they are needed. */
export const toCsv = ({ head, rows }: Sheet) => [head, ...rows].map((row) => csvRow(row.map(clean))).join('')

const clean = (cell: Cell) => (typeof cell === 'string' ? cleanText(cell) : cell)
