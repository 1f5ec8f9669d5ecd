/* `csv-stringify` 6.9 writes the same bytes with `escape_formulas` but takes four times as long, and an export runs while other
   requests wait. */

export type Cell = string | number | boolean | null

/**
 * One row of RFC 4180, ending in CRLF. Cells are quoted where they need it, including for the semicolon that half of Europe uses as
 * the separator.
 */
export const csvRow = (cells: readonly Cell[]) => `${cells.map(toCell).join(',')}\r\n`

function toCell(cell: Cell): string {
  if (cell === null) return ''
  const text = typeof cell === 'string' ? asText(cell) : String(cell)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A spreadsheet runs a cell that starts like a formula, even with a fullwidth sign. After an apostrophe it's text. A plain
 * negative amount stays a number, with a hyphen: spreadsheets don't read the minus sign that screens have.
 */
function asText(text: string): string {
  const number = text.replace(/^\u2212/, '-')
  if (/^-£?\d[\d,]*(\.\d+)?$/.test(number)) return number
  return /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text
}

/** For a file that a browser saves: Excel reads it as UTF-8 only with the mark. */
export function* withByteOrderMark(rows: Iterable<string>): Generator<string, void, undefined> {
  yield '\uFEFF'
  yield* rows
}
