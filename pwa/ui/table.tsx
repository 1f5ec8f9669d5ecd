import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import './styles/table.css'

type Props = {
  caption: string
  /** `isStacked` turns rows into cards under 736 px: give each cell `data-l`, its column's name. */
  isStacked?: boolean
  children: ReactNode
}

/** A table that scrolls inside its own region; roles are explicit because stacking removes them. */
export const Table = ({ caption, isStacked, children }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <section className="scrollx" tabIndex={0} aria-label={caption}>
    {/* biome-ignore lint/a11y/noRedundantRoles: display on the rows removes the table's own */}
    <table className={isStacked ? 'table table--stack' : 'table'} role="table">
      <caption className="vh">{caption}</caption>
      {children}
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
  // biome-ignore lint/a11y/noRedundantRoles: display on the rows removes the table's own
  <tr role="row">{children}</tr>
)

/** One cell; `label` is its column's name, which it shows when the table is stacked. */
export const Cell = ({ label, kind, className, children }: CellProps) => (
  // biome-ignore lint/a11y/noRedundantRoles: display on the rows removes the table's own
  <td role="cell" data-l={label} className={classNames(kind && cellClass[kind], className) || undefined}>
    {children}
  </td>
)
