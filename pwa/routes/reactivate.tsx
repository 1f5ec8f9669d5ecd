import { createFileRoute } from '@tanstack/react-router'
import { ReactivatePage } from '#pwa/features/reactivation/reactivate-page.tsx'

export const Route = createFileRoute('/reactivate')({
  head: ({ match }) => ({ meta: [{ title: `Reactivate: ${match.context.content.brand.name}` }] }),
  component: ReactivatePage,
})
