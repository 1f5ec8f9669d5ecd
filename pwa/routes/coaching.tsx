import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'

export const Route = createFileRoute('/coaching')({
  ...textPage('coaching', tiersQuery),
  component: lazyPage(
    () => import('#pwa/features/coaching/coaching-page.tsx'),
    ({ CoachingPage }) => <CoachingPage text={Route.useLoaderData()} />,
  ),
})
