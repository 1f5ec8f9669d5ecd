import { type Cell, csvRow } from './csv.ts'

type Rows = readonly Record<string, unknown>[]

/** A named list whose rows all have the same columns. The archive reads it only when its turn comes. */
export type ArchiveTable = { name: string; read: () => Rows }

const rowsAtOnce = 500

function* slices(rows: Rows): Generator<Rows> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) yield rows.slice(at, at + rowsAtOnce)
}

/** CSV in pieces, with a byte order mark so that spreadsheets read it as UTF-8. The first row gives the columns. */
export function* csvPieces(rows: Rows): Generator<string> {
  const columns = Object.keys(rows[0] ?? {})
  yield `\ufeff${csvRow(columns)}`
  for (const some of slices(rows))
    yield some.map((row) => csvRow(columns.map((column) => toCell(row[column])))).join('')
}

export function* jsonPieces(tables: readonly ArchiveTable[]): Generator<string> {
  let mark = '{'
  for (const { name, read } of tables) {
    yield `${mark}\n  ${JSON.stringify(name)}: [`
    let between = ''
    for (const some of slices(read())) {
      yield between + some.map((row) => `\n    ${JSON.stringify(row)}`).join(',')
      between = ','
    }
    yield between === '' ? ']' : '\n  ]'
    mark = ','
  }
  yield tables.length === 0 ? '{}\n' : '\n}\n'
}

function toCell(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value == null ? null : JSON.stringify(value)
}
