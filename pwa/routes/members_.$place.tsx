import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '#pwa/features/profile/account/account-page.tsx'

export const Route = createFileRoute('/members_/$place')({
  // Every page of the site loads this file, so it takes these pages' titles from their addresses.
  head: ({ match, params: { place } }) => ({
    meta: [{ title: `Your ${place}: ${match.context.content.brand.name}` }],
  }),
  component: () => <AccountPage place={Route.useParams().place} search={Route.useSearch()} />,
})
