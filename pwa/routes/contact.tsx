import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

type Search = { subject?: string }

export const Route = createFileRoute('/contact')({
  ...textPage('contact'),
  validateSearch: ({ subject }: Record<string, unknown>): Search =>
    typeof subject === 'string' && subject !== '' ? { subject: subject.slice(0, 200) } : {},
  component: lazyPage(
    () => import('#pwa/features/enquiries/contact-page.tsx'),
    ({ ContactPage }) => <ContactPage text={Route.useLoaderData()} subject={Route.useSearch().subject} />,
  ),
})
