import { createFileRoute } from '@tanstack/react-router'
import { TiersPage } from '#pwa/features/tiers/tiers-page.tsx'

export const Route = createFileRoute('/membership-tiers')({
  staticData: { isPublic: true },
  component: TiersPage,
  head: ({ match }) => ({
    meta: [
      { title: `Membership tiers: ${match.context.content.brand.name}` },
      {
        name: 'description',
        content: 'Alliance Lite, Alliance and Alliance XL: what each tier has, what it costs a month, and how to join.',
      },
    ],
  }),
})
