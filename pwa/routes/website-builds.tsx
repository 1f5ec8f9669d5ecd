import { createFileRoute } from '@tanstack/react-router'
import { WebsiteBuildsPage } from '#pwa/features/website-builds/website-builds-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/website-builds')({
  ...textPage('website-builds'),
  component: () => <WebsiteBuildsPage text={Route.useLoaderData()} />,
})
