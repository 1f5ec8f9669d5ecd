import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/view-member/$memberId')({
  head: ({ match }) => ({ meta: [{ title: `View as member: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/admin/admin-page.tsx'),
    ({ ViewMemberPage }) => <ViewMemberPage memberId={Route.useParams().memberId} />,
  ),
})
