import { lazy, Suspense, useLayoutEffect } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { onPageView } from '#pwa/lib/page-views.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { track } from '#pwa/lib/track.ts'

const ConsentSection = lazy(() => loadFile(() => import('./consent-question.tsx')))

/** Counts page views and forms that people start, and asks for consent if third-party tools are set up. */
export function Analytics() {
  const { measuring } = useSiteContent()
  // A layout effect runs before the children's effects. A tool that starts in those begins with this view, and mustn't get it a
  // second time.
  useLayoutEffect(() => {
    // A public page is counted by its own script, with or without the app.
    if (!globalThis.isViewCounted) {
      const from = new URLSearchParams(window.location.search).get('utm_source') ?? document.referrer
      track({ name: 'page_view', from })
    }
    let page = window.location.pathname
    let begunOn = ''
    const onInput = () => {
      if (begunOn !== page) track({ name: 'form_begun' }, page)
      begunOn = page
    }
    window.addEventListener('input', onInput)
    const unsubscribe = onPageView((path) => {
      page = path
      track({ name: 'page_view' }, path)
    })
    return () => {
      window.removeEventListener('input', onInput)
      unsubscribe()
    }
  }, [])
  if (!measuring.analytics && !measuring.pixel) return null
  return (
    <Suspense>
      <ConsentSection measuring={measuring} />
    </Suspense>
  )
}
