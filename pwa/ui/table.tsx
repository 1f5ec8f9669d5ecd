import { createContext, type ReactNode, use } from 'react'
import { classNames } from './class-names.ts'
import './styles/table.css'

type Props = {
  caption: string
  /** `isStacked` turns rows into cards under 736 px: give each cell `data-l`, its column's name. */
  isStacked?: boolean
  children: ReactNode
}

/** Stacking takes a table's own roles away, so they're said again there, and nowhere else. */
const StackContext = createContext(false)

/** A table that scrolls inside its own region. */
export const Table = ({ caption, isStacked = false, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <section className="scrollx" tabIndex={0} aria-label={caption}>
    <table className={isStacked ? 'table table--stack' : 'table'} role={isStacked ? 'table' : undefined}>
      <caption className="vh">{caption}</caption>
      <StackContext value={isStacked}>{children}</StackContext>
    </table>
  </section>
)

type CellProps = {
  label?: string
  kind?: 'number' | 'row' | 'who' | 'date'
  className?: string | undefined
  children?: ReactNode
}

const cellClass = { number: 'n', row: 'no', who: 'who', date: 'date' }

export const Row = ({ children }: { children: ReactNode }) => (
  <tr role={use(StackContext) ? 'row' : undefined}>{children}</tr>
)

/** One cell; `label` is its column's name, which it shows when the table is stacked. */
export const Cell = ({ label, kind, className, children }: CellProps) => (
  <td
    role={use(StackContext) ? 'cell' : undefined}
    data-l={label}
    className={classNames(kind && cellClass[kind], className) || undefined}
  >
    {children}
  </td>
)
