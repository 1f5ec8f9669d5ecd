import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/website-builds')({
  ...textPage('website-builds'),
  component: lazyPage(
    () => import('#pwa/features/website-builds/website-builds-page.tsx'),
    ({ WebsiteBuildsPage }) => <WebsiteBuildsPage text={Route.useLoaderData()} />,
  ),
})
