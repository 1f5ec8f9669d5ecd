import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/forgot-password')({
  head: ({ match }) => ({ meta: [{ title: `Forgot your password: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/auth/forgot-password-page.tsx'),
    ({ ForgotPasswordPage }) => <ForgotPasswordPage />,
  ),
})
