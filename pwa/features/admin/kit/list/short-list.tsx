import { type ReactNode, useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { ListState } from './list.tsx'
import { type Column, FoldedTable } from './list-table.tsx'
import { saveRows } from './use-list-csv.ts'
import './list.css'

type CsvProps<Row> = { name: string; columns: readonly Column<Row>[]; rows: readonly Row[] }

export const RowsCsv = <Row,>({ name, columns, rows }: CsvProps<Row>) => (
  <Button
    isSmall
    look="line"
    icon="down"
    aria-label={`CSV: ${name}`}
    onClick={() => saveRows(`${name}.csv`, columns, rows)}
  >
    CSV
  </Button>
)

type ListQuery<Row> = {
  data: readonly Row[] | undefined
  error: Error | null
  dataUpdatedAt: number
  isFetching: boolean
  refetch: () => unknown
}

/** For several lists from one response, which have no query of their own. */
export const loaded = <Row,>(data: readonly Row[]) => ({
  data,
  error: null,
  dataUpdatedAt: 0,
  isFetching: false,
  refetch: () => {},
})

type Props<Row> = {
  title: string
  /** Gives it a smaller title, within a page that has one. */
  isPart?: boolean
  /** The CSV file’s name. */
  name: string
  query: ListQuery<Row>
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  actions?: (row: Row) => ReactNode
  tools?: ReactNode
  note?: ReactNode
  before?: ReactNode
  /** Shows the same figures as the table, which folds beneath it. */
  chart?: ReactNode
  empty?: { title: string; text: string }
  /** One of many on its page: on a phone only its title and its chart's sentence, until it's asked for. */
  foldsOnPhone?: boolean
}

/** For a list that comes in one response: no search, order or pages. */
export function ShortList<Row>({
  title,
  isPart,
  name,
  query,
  columns,
  tools,
  note,
  before,
  chart,
  empty,
  foldsOnPhone = false,
  ...rest
}: Props<Row>) {
  const { data: rows, error } = query
  const Title = isPart ? 'h3' : 'h2'
  return (
    <Foldable title={title} foldsOnPhone={foldsOnPhone}>
      <div className="panel__top">
        <Title>{title}</Title>
        {tools}
        {rows && rows.length > 0 && <RowsCsv name={name} columns={columns} rows={rows} />}
      </div>
      {note && <p className="panel__note">{note}</p>}
      {before}
      <ListState {...query} />
      {rows === undefined ? (
        error === null && <Skeleton size="block" />
      ) : rows.length === 0 && empty ? (
        <EmptyState title={empty.title}>{empty.text}</EmptyState>
      ) : (
        <Numbers chart={chart}>
          <FoldedTable title={title} columns={columns} rows={rows} {...rest} />
        </Numbers>
      )}
    </Foldable>
  )
}

function Foldable({ title, foldsOnPhone, children }: { title: string; foldsOnPhone: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  if (!foldsOnPhone) return children
  return (
    <div className={isOpen ? undefined : 'shut'}>
      {children}
      <Button
        look="line"
        isSmall
        className="folded__all"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'}: ${title}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide' : 'Show'}
      </Button>
    </div>
  )
}

const Numbers = ({ chart, children }: { chart: ReactNode; children: ReactNode }) =>
  chart === undefined ? (
    children
  ) : (
    <>
      {chart}
      <details className="numbers">
        <summary>The numbers</summary>
        {children}
      </details>
    </>
  )
