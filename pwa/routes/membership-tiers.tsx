import { createFileRoute } from '@tanstack/react-router'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import { tiersFacts } from '#pwa/features/tiers/tiers-facts.ts'
import { TiersPage } from '#pwa/features/tiers/tiers-page.tsx'
import { prefetchQuery } from '#pwa/lib/router.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <TiersPage text={Route.useLoaderData()} />

const page = textPage('membership-tiers', import.meta.env.SSR ? tiersFacts : undefined)

export const Route = createFileRoute('/membership-tiers')({
  ...page,
  loader: async ({ context }) => {
    const [text] = await Promise.all([page.loader({ context }), prefetchQuery(context, tiersQuery)])
    return text
  },
  component: Page,
})
