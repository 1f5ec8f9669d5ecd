import { lazy, Suspense } from 'react'
import { useViewingAs } from '#pwa/lib/viewing-as-flag.ts'

const ViewingAs = lazy(() => import('./viewing-as-section.tsx'))

/** Loaded for an owner who views the site as a member, and for nobody else. */
export function LazyViewingAs() {
  const viewed = useViewingAs()
  return (
    viewed && (
      <Suspense>
        <ViewingAs viewed={viewed} />
      </Suspense>
    )
  )
}
