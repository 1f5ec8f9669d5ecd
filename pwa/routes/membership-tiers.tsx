import { createFileRoute } from '@tanstack/react-router'
import { TiersPage } from '#pwa/features/tiers/tiers-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'

export const Route = createFileRoute('/membership-tiers')({
  ...textPage('membership-tiers', tiersQuery),
  component: () => <TiersPage text={Route.useLoaderData()} />,
})
