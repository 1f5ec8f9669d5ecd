import { type FocusEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import { Cell, Table, Row as TableRow } from '#pwa/ui/table.tsx'
import type { Chosen } from './use-list.ts'

export type ColumnText<Row> = ((row: Row) => string) | readonly (readonly [label: string, text: (row: Row) => string])[]

export type Column<Row> = {
  label: string
  cell: (row: Row) => ReactNode
  /** The cell as text, for CSV. A cell that shows several things gives a labelled column for each. */
  text: ColumnText<Row>
  /** The API’s name for the column, if it can sort by it. */
  sort?: string
  kind?: 'number' | 'who' | 'date'
  /** Columns hidden on narrow screens: 1 goes first. */
  dropOrder?: 1 | 2 | 3
  /** Not on a phone’s card, which then has one line for each of the others. */
  isWideOnly?: true
}

/** A column whose cell and CSV text are the same. */
export const textColumn = <Row,>(label: string, text: (row: Row) => string, kind?: 'number' | 'who'): Column<Row> => ({
  label,
  text,
  cell: text,
  ...(kind && { kind }),
})

type TableProps<Row> = {
  title: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  actions?: ((row: Row) => ReactNode) | undefined
  sort?: string | undefined
  onSort?: (sort: string) => void
  choice?: { chosen: Chosen<Row>; nameOf: (row: Row) => string } | undefined
}

/** As many as a phone’s screen or two holds: the rest is a press away. */
const shownOnPhone = 5

/** For one of several lists on a page: on a phone, its first rows until the rest is asked for. */
export function FoldedTable<Row>(props: TableProps<Row>) {
  const [isWhole, setWhole] = useState(false)
  const isFolded = !isWhole && props.rows.length > shownOnPhone + 1
  return (
    <div className={isFolded ? 'folded' : undefined}>
      <ListTable {...props} />
      {isFolded && (
        <Button look="line" isSmall className="folded__all" onClick={() => setWhole(true)}>
          Show all {props.rows.length}
        </Button>
      )}
    </div>
  )
}

export const ListTable = <Row,>({ title, columns, rows, idOf, actions, choice, sort, onSort }: TableProps<Row>) => (
  <Table caption={title} isStacked>
    <thead>
      <tr>
        {choice && (
          <th scope="col">
            <Tick
              label="Choose all shown"
              isTicked={rows.every((row) => choice.chosen.has(idOf(row)))}
              onTick={(isTicked) => choice.chosen.set(isTicked ? rows.map(idOf) : [])}
            />
          </th>
        )}
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
    <KeyedRows>
      {rows.map((row) => (
        <TableRow key={idOf(row)}>
          {choice && (
            <Cell>
              <Tick
                label={`Choose ${choice.nameOf(row)}`}
                isTicked={choice.chosen.has(idOf(row))}
                onTick={(isTicked) =>
                  choice.chosen.set(withOrWithout(choice.chosen.rows.map(idOf), idOf(row), isTicked))
                }
              />
            </Cell>
          )}
          {columns.map(({ label, cell, kind, dropOrder, isWideOnly }) => (
            <Cell
              key={label}
              kind={kind}
              className={classNames(dropOrder && `drops-${dropOrder}`, isWideOnly && 'wideonly') || undefined}
              {...(kind === 'who' ? {} : { label })}
            >
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
    </KeyedRows>
  </Table>
)

/** When the focused row goes, focuses the one in its place, so that keyboard users keep their position. */
function KeyedRows({ children }: { children: ReactNode }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const last = useRef<{ row: HTMLElement; place: number } | null>(null)
  const noteRow = ({ target }: FocusEvent) => {
    const rows = [...(body.current?.rows ?? [])]
    const row = rows.find((one) => one.contains(target))
    last.current = row ? { row, place: rows.indexOf(row) } : null
  }
  useLayoutEffect(() => {
    if (last.current === null || last.current.row.isConnected) return
    const rows = [...(body.current?.rows ?? [])]
    const next = rows[last.current.place] ?? rows.at(-1)
    last.current = null
    if (next === undefined || document.activeElement !== document.body) return
    next.tabIndex = -1
    next.focus({ preventScroll: true })
  })
  return (
    <tbody ref={body} onFocus={noteRow}>
      {children}
    </tbody>
  )
}

export const withOrWithout = (ids: readonly string[], id: string, isTicked: boolean) =>
  isTicked ? [...ids, id] : ids.filter((one) => one !== id)

type TickProps = { label: string; isTicked: boolean; onTick: (isTicked: boolean) => void }

export const Tick = ({ label, isTicked, onTick }: TickProps) => (
  <input
    type="checkbox"
    className="choose"
    aria-label={label}
    checked={isTicked}
    onChange={({ target }) => onTick(target.checked)}
  />
)

type HeadProps<Row> = { column: Column<Row>; sort: string | undefined; onSort?: ((sort: string) => void) | undefined }

function SortableHead<Row>({ column: { label, sort: key, kind, dropOrder }, sort, onSort }: HeadProps<Row>) {
  const className = classNames(kind === 'number' && 'n', dropOrder && `drops-${dropOrder}`) || undefined
  if (key === undefined || onSort === undefined) {
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
