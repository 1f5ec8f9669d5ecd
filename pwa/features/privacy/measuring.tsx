import { lazy, Suspense, useLayoutEffect } from 'react'
import { onPageView } from '#pwa/lib/page-views.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { track } from '#pwa/lib/track.ts'

const Consent = lazy(() => import('./consent.tsx'))

/** Counts page views, and asks about outside tools where some are set up. Comes after the page has started. */
function Measuring() {
  const { measuring } = useSiteContent()
  // Before the effects of what is inside: a tool that starts there begins with this view and is not told of it again.
  useLayoutEffect(() => {
    track({ name: 'page_view' })
    return onPageView((path) => track({ name: 'page_view' }, path))
  }, [])
  if (!measuring.analytics && !measuring.pixel) return null
  return (
    <Suspense>
      <Consent measuring={measuring} />
    </Suspense>
  )
}

export default Measuring
