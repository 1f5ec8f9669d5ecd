import { lazy, Suspense, useLayoutEffect } from 'react'
import { onPageView } from '#pwa/lib/page-views.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { track } from '#pwa/lib/track.ts'

const ConsentSection = lazy(() => import('./consent-section.tsx'))

/** Counts page views, and asks for consent where outside tools are set up. */
export function Analytics() {
  const { measuring } = useSiteContent()
  // A layout effect runs before the effects of the children: a tool that starts in them begins with this view, and must
  // not be told of it a second time.
  useLayoutEffect(() => {
    track({ name: 'page_view' })
    return onPageView((path) => track({ name: 'page_view' }, path))
  }, [])
  if (!measuring.analytics && !measuring.pixel) return null
  return (
    <Suspense>
      <ConsentSection measuring={measuring} />
    </Suspense>
  )
}
