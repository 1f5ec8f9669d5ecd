import { type ReactNode, useEffect, useState } from 'react'
import { useIsSignalWeak } from '#pwa/lib/weak-signal.ts'
import { EmptyState } from '#pwa/ui/empty-state.tsx'

/** The longest a skeleton shows without a word. We watch the app's requests for a second; other loading has no watch. */
const longestBlankMs = 3_000

function useIsWeak(): boolean {
  const isSignalWeak = useIsSignalWeak()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), longestBlankMs)
    return () => clearTimeout(timer)
  }, [])
  return isSignalWeak || isLate
}

/** A skeleton for a moment; then the reason, while we still wait for the response. */
export const UntilWeak = ({ skeleton }: { skeleton: ReactNode }) =>
  useIsWeak() ? (
    <div role="status">
      <EmptyState title="Weak signal" level={2}>
        Still trying. This will show as soon as we get through.
      </EmptyState>
    </div>
  ) : (
    skeleton
  )

/** The same for a part of a page. */
export const UntilWeakLine = ({ skeleton }: { skeleton: ReactNode }) =>
  useIsWeak() ? <p role="status">Weak signal. Still trying…</p> : skeleton
