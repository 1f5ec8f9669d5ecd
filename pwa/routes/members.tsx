import { createFileRoute } from '@tanstack/react-router'
import { openEarly } from '#pwa/features/auth/open-early.ts'
import { MembersPage } from '#pwa/features/members/members-page.tsx'
import { readMembersSearch } from '#pwa/features/members/search.ts'

const Members = () => <MembersPage search={Route.useSearch()} />

export const Route = createFileRoute('/members')({
  validateSearch: readMembersSearch,
  head: ({ match }) => ({ meta: [{ title: `Members: ${match.context.content.brand.name}` }] }),
  loader: ({ context, preload }) => preload || openEarly(context.queryClient),
  component: Members,
})
