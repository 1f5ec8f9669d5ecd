import { createFileRoute } from '@tanstack/react-router'
import { CoachingPage } from '#pwa/features/coaching/coaching-page.tsx'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/coaching')({
  ...textPage('coaching', tiersQuery),
  component: () => <CoachingPage text={Route.useLoaderData()} />,
})
