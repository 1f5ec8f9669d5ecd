import { createFileRoute } from '@tanstack/react-router'
import { HomePage } from '#pwa/features/home/home-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'

export const Route = createFileRoute('/')({
  ...textPage('home', tiersQuery),
  component: () => <HomePage text={Route.useLoaderData()} />,
})
