import type { ReactNode } from 'react'
import './styles/drop-hint.css'

/** Where a file can be dropped. Hidden where there’s only a finger. */
export const DropHint = ({ children }: { children: ReactNode }) => <span className="drophint">{children}</span>
