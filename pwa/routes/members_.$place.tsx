import { createFileRoute } from '@tanstack/react-router'
import { PlacePage } from '#pwa/features/members/area/place-page.tsx'

export const Route = createFileRoute('/members_/$place')({
  // Every page of the site loads this file, so the titles come with the page itself.
  loader: async ({ params }) => (await import('#pwa/features/places/account-places.ts')).titleOfPlace(params.place),
  head: ({ match, loaderData }) => ({
    meta: [{ title: `${loaderData ?? 'Your account'}: ${match.context.content.brand.name}` }],
  }),
  component: () => <PlacePage place={Route.useParams().place} search={Route.useSearch()} />,
})
