import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordPage } from '#pwa/features/auth/reset-password-page.tsx'

type Search = { token?: string }

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ token }: Record<string, unknown>): Search => (typeof token === 'string' ? { token } : {}),
  head: ({ match }) => ({
    meta: [
      { title: `Set a new password: ${match.context.content.brand.name}` },
      // For a page that the service worker kept, which comes with the headers of the app's shell.
      { name: 'referrer', content: 'no-referrer' },
    ],
  }),
  component: () => <ResetPasswordPage token={Route.useSearch().token} />,
})
