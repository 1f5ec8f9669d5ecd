import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { MembersPage } from '#pwa/features/members/members-page.tsx'
import { readMembersSearch } from '#pwa/features/members/search.ts'

const tabTitles = { dashboard: 'Members', profile: 'Your profile', billing: 'Your billing' }

export const Route = createFileRoute('/members')({
  validateSearch: readMembersSearch,
  head: ({ match: { context, search } }) => ({
    meta: [{ title: `${tabTitles[search.tab ?? 'dashboard']}: ${context.content.brand.name}` }],
  }),
  loader: ({ context, preload }) => preload || preloadSession(context.queryClient),
  component: () => <MembersPage search={Route.useSearch()} />,
})

/** The session on this device begins to open while the code of the page is still being loaded. */
function preloadSession(queryClient: QueryClient): void {
  import('#pwa/features/auth/session-store.ts').then(({ openSession }) => openSession(queryClient)).catch(reportError)
}
