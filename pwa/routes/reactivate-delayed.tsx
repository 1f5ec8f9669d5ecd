import { createFileRoute } from '@tanstack/react-router'
import { DelayedPage } from '#pwa/features/reactivation/delayed-page.tsx'
import { readLinkSearch } from '#pwa/features/reactivation/search.ts'

const ReactivateDelayed = () => <DelayedPage link={Route.useSearch()} />

export const Route = createFileRoute('/reactivate-delayed')({
  validateSearch: readLinkSearch,
  head: ({ match }) => ({ meta: [{ title: `Reactivate: ${match.context.content.brand.name}` }] }),
  component: ReactivateDelayed,
})
