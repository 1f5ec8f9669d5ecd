import type { ReactNode } from 'react'

type Props = { title: ReactNode; action?: ReactNode; children?: ReactNode }

/** Nothing here: a dashed sheet with one sentence and one button. */
export const EmptyState = ({ title, action, children }: Props) => (
  <div className="empty">
    <h3>{title}</h3>
    {typeof children === 'string' ? <p>{children}</p> : children}
    {action}
  </div>
)
