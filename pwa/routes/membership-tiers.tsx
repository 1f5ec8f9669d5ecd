import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'

export const Route = createFileRoute('/membership-tiers')({
  ...textPage('membership-tiers', tiersQuery),
  component: lazyPage(
    () => import('#pwa/features/tiers/tiers-page.tsx'),
    ({ TiersPage }) => <TiersPage text={Route.useLoaderData()} />,
  ),
})
