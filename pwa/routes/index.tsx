import { createFileRoute } from '@tanstack/react-router'
import { homeFacts } from '#pwa/features/home/home-facts.ts'
import { HomePage } from '#pwa/features/home/home-page.tsx'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import { prefetchQuery } from '#pwa/lib/router.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <HomePage text={Route.useLoaderData()} />

const page = textPage('home', import.meta.env.SSR ? homeFacts : undefined)

export const Route = createFileRoute('/')({
  ...page,
  loader: async ({ context }) => {
    const [text] = await Promise.all([page.loader({ context }), prefetchQuery(context, tiersQuery)])
    return text
  },
  component: Page,
})
