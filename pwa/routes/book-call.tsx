import { createFileRoute } from '@tanstack/react-router'
import { readCoachCallSearch } from '#pwa/features/coach-calls/search.ts'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { textPage } from '#pwa/lib/text-page.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'

export const Route = createFileRoute('/book-call')({
  ...textPage('book-call', tiersQuery),
  validateSearch: readCoachCallSearch,
  component: lazyPage(
    () => import('#pwa/features/coach-calls/coach-call-page.tsx'),
    ({ CoachCallPage }) => (
      <CoachCallPage
        kind="coaching"
        text={Route.useLoaderData()}
        calendars={useSiteContent().links.coachCalls}
        height={600}
        search={Route.useSearch()}
      />
    ),
  ),
})
