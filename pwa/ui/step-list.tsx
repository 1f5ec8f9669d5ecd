import type { ReactNode } from 'react'

/** What happens next, in order; each child is an `li` with a heading and a text. */
export const StepList = ({ children }: { children: ReactNode }) => <ol className="steplist">{children}</ol>
