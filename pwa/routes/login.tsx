import { createFileRoute } from '@tanstack/react-router'
import { LoginPage } from '#pwa/features/auth/login-page.tsx'

type Search = { redirect?: string }

export const Route = createFileRoute('/login')({
  validateSearch: ({ redirect }: Record<string, unknown>): Search => (typeof redirect === 'string' ? { redirect } : {}),
  head: ({ match }) => ({ meta: [{ title: `Member login: ${match.context.content.brand.name}` }] }),
  component: () => <LoginPage redirect={Route.useSearch().redirect} />,
})
