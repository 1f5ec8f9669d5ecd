import { lazy, Suspense, useEffect, useState } from 'react'

const Measuring = lazy(() => import('./measuring.tsx'))

/** Nothing is counted before the page has started, and nobody waits for it. */
export function MeasuredLater() {
  const [hasStarted, setStarted] = useState(false)
  useEffect(() => setStarted(true), [])
  return (
    hasStarted && (
      <Suspense>
        <Measuring />
      </Suspense>
    )
  )
}
