import type { ReactNode } from 'react'
import { useIsSignalWeak } from '#pwa/lib/weak-signal.ts'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { syncedWhen } from './sync-status-section.tsx'

/** A skeleton for a second at most; then the reason, while the response is still waited for. */
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

/** While a response is late, what is shown is this phone's. `savedAt` in ms since 1970. */
export function AsOf({ savedAt }: { savedAt: number }) {
  const isWeak = useIsSignalWeak()
  return (
    <p className="members__asof" role="status">
      {isWeak && `Weak signal. You see this as of ${syncedWhen(new Date(savedAt).toISOString(), new Date())}.`}
    </p>
  )
}
