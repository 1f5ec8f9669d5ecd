import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { MembersPage } from '#pwa/features/members/members-page.tsx'
import { readMembersSearch } from '#pwa/features/members/search.ts'

export const Route = createFileRoute('/members')({
  validateSearch: readMembersSearch,
  head: ({ match }) => ({ meta: [{ title: `Members: ${match.context.content.brand.name}` }] }),
  loader: ({ context, preload }) => preload || preloadSession(context.queryClient),
  component: () => <MembersPage search={Route.useSearch()} />,
})

/** The session on this device begins to open while the code of the page is still being loaded. */
function preloadSession(queryClient: QueryClient): void {
  import('#pwa/features/auth/session-store.ts').then(({ openSession }) => openSession(queryClient)).catch(reportError)
}
