import { createFileRoute } from '@tanstack/react-router'
import { CoachingPage } from '#pwa/features/coaching/coaching-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'

export const Route = createFileRoute('/coaching')({
  ...textPage('coaching', tiersQuery),
  component: () => <CoachingPage text={Route.useLoaderData()} />,
})
