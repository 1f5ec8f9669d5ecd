import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/about')({
  ...textPage('about'),
  component: lazyPage(
    () => import('#pwa/features/about/about-page.tsx'),
    ({ AboutPage }) => <AboutPage text={Route.useLoaderData()} />,
  ),
})
