import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/health')({
  ...textPage('health'),
  component: lazyPage(
    () => import('#pwa/features/health/health-page.tsx'),
    ({ HealthPage }) => <HealthPage text={Route.useLoaderData()} />,
  ),
})
