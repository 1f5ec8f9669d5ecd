import { createFileRoute } from '@tanstack/react-router'
import { JoinPage } from '#pwa/features/join/join-page.tsx'
import { readJoinSearch } from '#pwa/features/join/join-search.ts'

const MembershipApplication = () => <JoinPage search={Route.useSearch()} />

export const Route = createFileRoute('/membership-application')({
  validateSearch: readJoinSearch,
  head: ({ match }) => ({ meta: [{ title: `Join: ${match.context.content.brand.name}` }] }),
  component: MembershipApplication,
})
