import { createFileRoute } from '@tanstack/react-router'
import { CoachCallPage } from '#pwa/features/coach-calls/coach-call-page.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/book-call')({
  ...textPage('book-call'),
  component: () => (
    <CoachCallPage text={Route.useLoaderData()} calendars={useSiteContent().links.coachCalls} height={600} />
  ),
})
