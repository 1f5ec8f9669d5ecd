import { createFileRoute } from '@tanstack/react-router'
import { readCoachCallSearch } from '#pwa/features/coach-calls/search.ts'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/catch-up')({
  ...textPage('catch-up'),
  validateSearch: readCoachCallSearch,
  component: lazyPage(
    () => import('#pwa/features/coach-calls/coach-call-page.tsx'),
    ({ CoachCallPage }) => (
      <CoachCallPage
        kind="catch-up"
        text={Route.useLoaderData()}
        calendars={useSiteContent().links.catchUps}
        height={800}
        search={Route.useSearch()}
      />
    ),
  ),
})
