import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/reactivate')({
  head: ({ match }) => ({ meta: [{ title: `Reactivate: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/reactivation/reactivate-page.tsx'),
    ({ ReactivatePage }) => <ReactivatePage />,
  ),
})
