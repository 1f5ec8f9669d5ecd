import { createFileRoute } from '@tanstack/react-router'
import { MemberPage } from '#pwa/features/admin/admin-page.tsx'

export const Route = createFileRoute('/admin/members/$memberId')({
  head: ({ match }) => ({ meta: [{ title: `Member: ${match.context.content.brand.name}` }] }),
  component: () => <MemberPage memberId={Route.useParams().memberId} />,
})
