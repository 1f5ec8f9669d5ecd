import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/book-coaching-call')({
  ...textPage('book-coaching-call'),
  component: lazyPage(
    () => import('#pwa/features/enquiries/book-coaching-call-page.tsx'),
    ({ BookCoachingCallPage }) => <BookCoachingCallPage text={Route.useLoaderData()} />,
  ),
})
