import { createFileRoute } from '@tanstack/react-router'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import { TiersPage } from '#pwa/features/tiers/tiers-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/membership-tiers')({
  ...textPage('membership-tiers', tiersQuery),
  component: () => <TiersPage text={Route.useLoaderData()} />,
})
