import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/admin/members/$memberId')({
  head: ({ match }) => ({ meta: [{ title: `Member: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/admin/admin-page.tsx'),
    ({ MemberPage }) => <MemberPage memberId={Route.useParams().memberId} />,
  ),
})
