import type { ReactNode } from 'react'
import { useIsSignalWeak } from '#pwa/lib/weak-signal.ts'
import { EmptyState } from '#pwa/ui/empty-state.tsx'

/** A skeleton for a second at most; then the reason, while the answer is still waited for. */
export const UntilWeak = ({ skeleton }: { skeleton: ReactNode }) =>
  useIsSignalWeak() ? (
    <div role="status">
      <EmptyState title="Weak signal" level={2}>
        The site has not answered yet. This shows as soon as it does.
      </EmptyState>
    </div>
  ) : (
    skeleton
  )

/** The same for a part of a page. */
export const UntilWeakLine = ({ skeleton }: { skeleton: ReactNode }) =>
  useIsSignalWeak() ? <p role="status">Weak signal. The site has not answered yet.</p> : skeleton
