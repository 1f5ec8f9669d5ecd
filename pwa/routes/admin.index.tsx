import { createFileRoute, redirect } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/admin/')({
  // Members were here, and links in mails keep a list’s filters.
  beforeLoad: ({ location: { search } }) => {
    if (Object.keys(search).length > 0)
      throw redirect({ to: '/admin/$place', params: { place: 'members' }, search, replace: true })
  },
  head: ({ match }) => ({ meta: [{ title: `Admin: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/admin/admin-page.tsx'),
    ({ AdminPage }) => <AdminPage tab="today" />,
  ),
})
