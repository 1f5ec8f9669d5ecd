import { createFileRoute, notFound } from '@tanstack/react-router'
import { AccountPage } from '#pwa/features/profile/account-page.tsx'
import { findPlace } from '#pwa/features/profile/account-places.ts'

export const Route = createFileRoute('/members_/$place')({
  beforeLoad: ({ params }) => {
    if (!findPlace(params.place)) throw notFound()
  },
  head: ({ match, params }) => ({
    meta: [{ title: `${findPlace(params.place)?.title ?? 'Members'}: ${match.context.content.brand.name}` }],
  }),
  component: () => <AccountPage place={Route.useParams().place} />,
})
