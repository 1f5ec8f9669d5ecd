import { createFileRoute } from '@tanstack/react-router'
import { AdminPage } from '#pwa/features/admin/admin-page.tsx'

export const Route = createFileRoute('/admin/')({
  head: ({ match }) => ({ meta: [{ title: `Admin: ${match.context.content.brand.name}` }] }),
  component: () => <AdminPage place="members" />,
})
