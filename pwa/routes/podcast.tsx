import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/podcast')({
  ...textPage('podcast'),
  component: lazyPage(
    () => import('#pwa/features/podcast/podcast-page.tsx'),
    ({ PodcastPage }) => <PodcastPage text={Route.useLoaderData()} />,
  ),
})
