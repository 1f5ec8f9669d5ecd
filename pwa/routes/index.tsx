import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '#pwa/features/home/home-page.tsx'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/')({
  ...textPage('home', tiersQuery),
  component: () => <HomePage text={Route.useLoaderData()} />,
})
