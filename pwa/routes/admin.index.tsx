import { createFileRoute, redirect } from '@tanstack/react-router'
import { AdminPage } from '#pwa/features/admin/admin-page.tsx'

export const Route = createFileRoute('/admin/')({
  // Members were here, and links in mails keep a list’s filters.
  beforeLoad: ({ location: { search } }) => {
    if (Object.keys(search).length > 0)
      throw redirect({ to: '/admin/$place', params: { place: 'members' }, search, replace: true })
  },
  head: ({ match }) => ({ meta: [{ title: `Admin: ${match.context.content.brand.name}` }] }),
  component: () => <AdminPage tab="today" />,
})
