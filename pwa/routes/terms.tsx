import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/terms')({
  ...textPage('terms'),
  component: lazyPage(
    () => import('#pwa/features/legal/legal-page.tsx'),
    ({ LegalPage }) => <LegalPage text={Route.useLoaderData()} />,
  ),
})
