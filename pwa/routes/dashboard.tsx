import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/dashboard')({
  validateSearch: ({ tab }: { tab?: string }) => ({ tab }),
  head: ({ match }) => ({ meta: [{ title: `Dashboard: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/admin/dashboard/dashboard-page.tsx'),
    ({ DashboardPage }) => <DashboardPage tab={Route.useSearch().tab} />,
  ),
})
