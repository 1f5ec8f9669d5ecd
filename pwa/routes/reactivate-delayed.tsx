import { createFileRoute } from '@tanstack/react-router'
import { DelayedPage } from '#pwa/features/reactivation/delayed-page.tsx'
import { readLinkSearch } from '#pwa/features/reactivation/search.ts'

export const Route = createFileRoute('/reactivate-delayed')({
  validateSearch: readLinkSearch,
  head: ({ match }) => ({ meta: [{ title: `Reactivate: ${match.context.content.brand.name}` }] }),
  component: () => <DelayedPage link={Route.useSearch()} />,
})
