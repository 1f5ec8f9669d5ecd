import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '#pwa/features/auth/forgot-password-page.tsx'

export const Route = createFileRoute('/forgot-password')({
  head: ({ match }) => ({ meta: [{ title: `Forgot your password: ${match.context.content.brand.name}` }] }),
  component: ForgotPasswordPage,
})
