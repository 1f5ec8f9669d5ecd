import type { ReactNode } from 'react'

/** `level` is its heading's: 2 directly under the page's own. */
type Props = { title: ReactNode; level?: 2 | 3; action?: ReactNode; children?: ReactNode }

export const EmptyState = ({ title, level = 3, action, children }: Props) => (
  <div className="empty">
    {level === 2 ? <h2 className="empty__title">{title}</h2> : <h3>{title}</h3>}
    {typeof children === 'string' ? <p>{children}</p> : children}
    {action}
  </div>
)
