import { type Cell, csvRow } from './csv.ts'

/** A list of the archive: named, with rows that all have the same columns. */
export type ArchiveTable = { name: string; rows: readonly Record<string, unknown>[] }

/** As CSV, with a mark that tells a spreadsheet that it is UTF-8. The columns are those of the first row. */
export function toCsv({ rows }: ArchiveTable): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => csvRow(columns.map((column) => toCell(row[column]))))
  return `\ufeff${csvRow(columns)}${lines.join('')}`
}

function toCell(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value == null ? null : JSON.stringify(value)
}
