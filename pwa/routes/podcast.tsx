import { createFileRoute } from '@tanstack/react-router'
import { PodcastPage } from '#pwa/features/podcast/podcast-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/podcast')({
  ...textPage('podcast'),
  component: () => <PodcastPage text={Route.useLoaderData()} />,
})
