import { createFileRoute } from '@tanstack/react-router'
import { readLinkSearch } from '#pwa/features/reactivation/search.ts'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/reactivate-delayed')({
  validateSearch: readLinkSearch,
  head: ({ match }) => ({ meta: [{ title: `Reactivate: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/reactivation/delayed-page.tsx'),
    ({ DelayedPage }) => <DelayedPage link={Route.useSearch()} />,
  ),
})
