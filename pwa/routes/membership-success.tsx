import { createFileRoute } from '@tanstack/react-router'
import { WelcomePage } from '#pwa/features/join/welcome-page.tsx'

export const Route = createFileRoute('/membership-success')({
  head: ({ match }) => ({ meta: [{ title: `Welcome: ${match.context.content.brand.name}` }] }),
  component: WelcomePage,
})
