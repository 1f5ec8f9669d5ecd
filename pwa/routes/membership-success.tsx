import { createFileRoute } from '@tanstack/react-router'
import { WelcomePage } from '#pwa/features/join/welcome/welcome-page.tsx'
import { readReturnSearch } from '#pwa/features/reactivation/search.ts'

export const Route = createFileRoute('/membership-success')({
  validateSearch: readReturnSearch,
  head: ({ match }) => ({ meta: [{ title: `Welcome: ${match.context.content.brand.name}` }] }),
  component: () => <WelcomePage search={Route.useSearch()} />,
})
