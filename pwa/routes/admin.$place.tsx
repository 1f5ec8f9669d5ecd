import { createFileRoute, redirect } from '@tanstack/react-router'
import { AdminPage } from '#pwa/features/admin/admin-page.tsx'

export const Route = createFileRoute('/admin/$place')({
  beforeLoad: ({ params }) => {
    if (params.place === 'today') throw redirect({ to: '/admin', replace: true })
  },
  head: ({ match }) => ({ meta: [{ title: `Admin: ${match.context.content.brand.name}` }] }),
  component: () => <AdminPage tab={Route.useParams().place} />,
})
