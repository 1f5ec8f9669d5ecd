import { createFileRoute } from '@tanstack/react-router'
import { DashboardPage } from '#pwa/features/admin/dashboard/dashboard-page.tsx'

export const Route = createFileRoute('/dashboard')({
  validateSearch: ({ tab }: { tab?: string }) => ({ tab }),
  head: ({ match }) => ({ meta: [{ title: `Dashboard: ${match.context.content.brand.name}` }] }),
  component: () => <DashboardPage tab={Route.useSearch().tab} />,
})
