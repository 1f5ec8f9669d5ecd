import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordPage } from '#pwa/features/auth/reset-password-page.tsx'

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
  component: () => <ResetPasswordPage token={Route.useSearch().token} />,
})
