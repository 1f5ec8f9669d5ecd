import { createFileRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/admin/$place')({
  beforeLoad: ({ params }) => {
    if (params.place === 'today') throw redirect({ to: '/admin', replace: true })
  },
  head: ({ match }) => ({ meta: [{ title: `Admin: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/admin/admin-page.tsx'),
    ({ AdminPage }) => <AdminPage tab={Route.useParams().place} />,
  ),
})
