import { createFileRoute } from '@tanstack/react-router'
import { OwnerInvitationPage } from '#pwa/features/owner-invitation/owner-invitation-page.tsx'

type Search = { token?: string }

export const Route = createFileRoute('/owner-invitation')({
  validateSearch: ({ token }: Record<string, unknown>): Search => (typeof token === 'string' ? { token } : {}),
  head: ({ match }) => ({
    meta: [
      { title: `An invitation: ${match.context.content.brand.name}` },
      // For a page cached by the service worker, which has the app shell's headers.
      { name: 'referrer', content: 'no-referrer' },
    ],
  }),
  component: () => <OwnerInvitationPage token={Route.useSearch().token} />,
})
