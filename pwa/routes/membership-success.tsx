import { createFileRoute } from '@tanstack/react-router'
import { readReturnSearch } from '#pwa/features/reactivation/search.ts'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/membership-success')({
  validateSearch: readReturnSearch,
  head: ({ match }) => ({ meta: [{ title: `Welcome: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/join/welcome/welcome-page.tsx'),
    ({ WelcomePage }) => <WelcomePage search={Route.useSearch()} />,
  ),
})
