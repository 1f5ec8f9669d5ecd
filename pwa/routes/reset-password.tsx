import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

type Search = { token?: string }

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ token }: Record<string, unknown>): Search => (typeof token === 'string' ? { token } : {}),
  head: ({ match }) => ({
    meta: [
      { title: `Set a new password: ${match.context.content.brand.name}` },
      // For a page cached by the service worker, which has the app shell's headers.
      { name: 'referrer', content: 'no-referrer' },
    ],
  }),
  component: lazyPage(
    () => import('#pwa/features/auth/reset-password-page.tsx'),
    ({ ResetPasswordPage }) => <ResetPasswordPage token={Route.useSearch().token} />,
  ),
})
