import { createFileRoute, redirect } from '@tanstack/react-router'
import { readMembersSearch } from '#pwa/features/members/search.ts'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'

const tabTitles = { dashboard: 'Members', profile: 'Your profile', billing: 'Your billing' }

export const Route = createFileRoute('/members')({
  validateSearch: readMembersSearch,
  head: ({ match: { context, search } }) => ({
    meta: [{ title: `${tabTitles[readMembersSearch(search).tab ?? 'dashboard']}: ${context.content.brand.name}` }],
  }),
  // The bank's page always leads here. A refused payment continues, or is abandoned, where it started.
  beforeLoad: ({ search: { errand, payment_intent, redirect_status } }) => {
    // Billing handles its own errands.
    if (errand || !payment_intent || redirect_status !== 'failed') return
    throw redirect({ to: '/membership-application', search: { redirect_status }, replace: true })
  },
  // Reads the device's data while the page's code is still loading.
  loader: async ({ context, preload }) => {
    if (!preload)
      await (await loadFile(() => import('#pwa/features/members/stored/use-stored-area.ts'))).openArea(
        context.queryClient,
      )
  },
  // The router keeps parameters `readMembersSearch` leaves out, such as a tab there never was.
  component: lazyPage(
    () => import('#pwa/features/members/area/members-page.tsx'),
    ({ MembersPage }) => <MembersPage search={readMembersSearch(Route.useSearch())} />,
  ),
})
