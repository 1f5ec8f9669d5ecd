import { createFileRoute } from '@tanstack/react-router'
import { CoachingPage } from '#pwa/features/coaching/coaching-page.tsx'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import { prefetchQuery } from '#pwa/lib/router.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <CoachingPage text={Route.useLoaderData()} />

const page = textPage('coaching')

export const Route = createFileRoute('/coaching')({
  ...page,
  loader: async ({ context }) => {
    const [text] = await Promise.all([page.loader({ context }), prefetchQuery(context, tiersQuery)])
    return text
  },
  component: Page,
})
