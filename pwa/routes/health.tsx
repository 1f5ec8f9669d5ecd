import { createFileRoute } from '@tanstack/react-router'
import { HealthPage } from '#pwa/features/health/health-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/health')({
  ...textPage('health'),
  component: () => <HealthPage text={Route.useLoaderData()} />,
})
