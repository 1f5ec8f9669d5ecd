import { createFileRoute } from '@tanstack/react-router'
import { HealthPage } from '#pwa/features/health/health-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <HealthPage text={Route.useLoaderData()} />

export const Route = createFileRoute('/health')({ ...textPage('health'), component: Page })
