import { createFileRoute } from '@tanstack/react-router'
import { AdminPage } from '#pwa/features/admin/admin-page.tsx'

export const Route = createFileRoute('/admin/$place')({
  head: ({ match, params }) => ({ meta: [{ title: `Admin, ${params.place}: ${match.context.content.brand.name}` }] }),
  component: () => <AdminPage place={Route.useParams().place} />,
})
