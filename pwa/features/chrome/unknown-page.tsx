import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { notFoundTitle } from '#pwa/lib/page-head.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { NotFoundPage } from './error-page.tsx'

/** Below an address that a route matches, and whose page is not there: only the title of that route says otherwise. */
export function UnknownPage() {
  const { brand } = useSiteContent()
  const router = useRouter()
  useEffect(() => {
    const setTitle = () => {
      document.title = notFoundTitle(brand.name)
    }
    // After the route's own title, which is set in the same round of effects.
    queueMicrotask(setTitle)
    return router.subscribe('onRendered', setTitle)
  }, [brand.name, router])
  return <NotFoundPage />
}
