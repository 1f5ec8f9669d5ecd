import type { ReactNode } from 'react'
import { Cell, Table, Row as TableRow } from '#pwa/ui/table.tsx'

export type Column<Row> = {
  label: string
  cell: (row: Row) => ReactNode
  /** The same as text, for the CSV file. */
  text: (row: Row) => string
  /** The name that the API sorts by. */
  sort?: string
  kind?: 'number' | 'who'
}

type TableProps<Row> = {
  title: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  actions: ((row: Row) => ReactNode) | undefined
  sort: string | undefined
  onSort: (sort: string) => void
}

export const ListTable = <Row,>({ title, columns, rows, idOf, actions, sort, onSort }: TableProps<Row>) => (
  <Table caption={title} isStacked>
    <thead>
      <tr>
        {columns.map((column) => (
          <SortableHead key={column.label} column={column} sort={sort} onSort={onSort} />
        ))}
        {actions && (
          <th scope="col" className="n">
            Actions
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <TableRow key={idOf(row)}>
          {columns.map(({ label, cell, kind }) => (
            <Cell key={label} kind={kind} {...(kind === 'who' ? {} : { label })}>
              {cell(row)}
            </Cell>
          ))}
          {actions && (
            <Cell>
              <div className="acts">{actions(row)}</div>
            </Cell>
          )}
        </TableRow>
      ))}
    </tbody>
  </Table>
)

type HeadProps<Row> = { column: Column<Row>; sort: string | undefined; onSort: (sort: string) => void }

/** A column's name; pressed, the list is sorted by it, and the other way round at the next press. */
function SortableHead<Row>({ column: { label, sort: key, kind }, sort, onSort }: HeadProps<Row>) {
  const className = kind === 'number' ? 'n' : undefined
  if (key === undefined) {
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    )
  }
  const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onSort(direction === 'ascending' ? `-${key}` : key)}>
        {label}
        <span aria-hidden="true">{direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : '↕'}</span>
      </button>
    </th>
  )
}
