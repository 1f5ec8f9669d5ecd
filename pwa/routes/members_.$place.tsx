import { createFileRoute, notFound } from '@tanstack/react-router'
import { AccountPage } from '#pwa/features/profile/account-page.tsx'

export const Route = createFileRoute('/members_/$place')({
  // Loaded here, so that no other page carries the places' names.
  loader: async ({ params }) => {
    const { findPlace } = await import('#pwa/features/profile/account-places.ts')
    const { title } = findPlace(params.place) ?? {}
    if (title === undefined) throw notFound()
    return { title }
  },
  head: ({ match, loaderData }) => ({
    meta: [{ title: `${loaderData?.title ?? 'Members'}: ${match.context.content.brand.name}` }],
  }),
  component: () => <AccountPage place={Route.useParams().place} />,
})
