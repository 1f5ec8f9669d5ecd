import { notFoundTitle } from '#pwa/lib/page-head.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useTitle } from '#pwa/lib/use-title.ts'
import { NotFoundPage } from './error-page.tsx'

/** For an address under an existing route, without a page: only that route's title says otherwise. */
export function UnknownPage() {
  useTitle(notFoundTitle(useSiteContent().brand.name))
  return <NotFoundPage />
}
