import { createFileRoute } from '@tanstack/react-router'
import { MailLinkPage } from '#pwa/features/profile/mail-link-page.tsx'

type Search = { token?: string }

export const Route = createFileRoute('/mail/$action')({
  validateSearch: ({ token }: Record<string, unknown>): Search => (typeof token === 'string' ? { token } : {}),
  head: ({ match }) => ({
    meta: [{ title: `Your email: ${match.context.content.brand.name}` }, { name: 'referrer', content: 'no-referrer' }],
  }),
  component: () => <MailLinkPage action={Route.useParams().action} token={Route.useSearch().token} />,
})
