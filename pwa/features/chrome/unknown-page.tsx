import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { notFoundTitle } from '#pwa/lib/page-head.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { NotFoundPage } from './error-page.tsx'

/** For an address under an existing route, without a page: only that route's title says otherwise. */
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
