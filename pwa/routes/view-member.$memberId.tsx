import { createFileRoute } from '@tanstack/react-router'
import { ViewMemberPage } from '#pwa/features/admin/admin-page.tsx'

export const Route = createFileRoute('/view-member/$memberId')({
  head: ({ match }) => ({ meta: [{ title: `View as member: ${match.context.content.brand.name}` }] }),
  component: () => <ViewMemberPage memberId={Route.useParams().memberId} />,
})
