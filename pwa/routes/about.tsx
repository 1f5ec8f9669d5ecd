import { createFileRoute } from '@tanstack/react-router'
import { AboutPage } from '#pwa/features/about/about-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/about')({
  ...textPage('about'),
  component: () => <AboutPage text={Route.useLoaderData()} />,
})
