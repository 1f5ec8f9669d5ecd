import type { ReactNode } from 'react'
import { EmptyState } from '#pwa/ui/empty-state.tsx'

/** The area with nothing of anybody on it, and why. */
export const Blank = ({ title, action, children }: { title: string; action?: ReactNode; children?: string }) => (
  <div className="wrap members__blank">
    <h1 className="vh">Members area</h1>
    <EmptyState title={title} action={action}>
      {children}
    </EmptyState>
  </div>
)
