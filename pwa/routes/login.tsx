import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

type Search = { redirect?: string }

export const Route = createFileRoute('/login')({
  validateSearch: ({ redirect }: Record<string, unknown>): Search => (typeof redirect === 'string' ? { redirect } : {}),
  head: ({ match }) => ({ meta: [{ title: `Member login: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/auth/login-page.tsx'),
    ({ LoginPage }) => <LoginPage redirect={Route.useSearch().redirect} />,
  ),
})
