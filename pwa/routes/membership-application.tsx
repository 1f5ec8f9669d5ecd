import { createFileRoute } from '@tanstack/react-router'
import type { JoinSearch } from '#pwa/features/join/join-page.tsx'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

function readSearch({ continue: token, redirect_status: status, invitation }: Record<string, unknown>): JoinSearch {
  return {
    ...(typeof token === 'string' && token ? { continue: token } : {}),
    ...(typeof invitation === 'string' ? { invitation } : {}),
    ...(typeof status === 'string' && status ? { redirect_status: status } : {}),
  }
}

export const Route = createFileRoute('/membership-application')({
  validateSearch: readSearch,
  head: ({ match }) => ({ meta: [{ title: `Join: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/join/join-page.tsx'),
    ({ JoinPage }) => <JoinPage search={Route.useSearch()} />,
  ),
})
