import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '#pwa/features/profile/account-page.tsx'

export const Route = createFileRoute('/members_/$place')({
  head: ({ match }) => ({ meta: [{ title: `Your account: ${match.context.content.brand.name}` }] }),
  component: () => <AccountPage place={Route.useParams().place} search={Route.useSearch()} />,
})
