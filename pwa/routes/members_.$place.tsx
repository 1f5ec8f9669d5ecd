import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '#pwa/features/profile/account/account-page.tsx'

export const Route = createFileRoute('/members_/$place')({
  // Every page of the site loads this file, so the titles come with the page itself.
  loader: async ({ params }) =>
    (await import('#pwa/features/profile/account/account-places.ts')).titleOfPlace(params.place),
  head: ({ match, loaderData }) => ({
    meta: [{ title: `${loaderData ?? 'Your account'}: ${match.context.content.brand.name}` }],
  }),
  component: () => <AccountPage place={Route.useParams().place} search={Route.useSearch()} />,
})
