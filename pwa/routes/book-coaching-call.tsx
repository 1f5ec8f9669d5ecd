import { createFileRoute } from '@tanstack/react-router'
import { BookCoachingCallPage } from '#pwa/features/enquiries/book-coaching-call-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/book-coaching-call')({
  ...textPage('book-coaching-call'),
  component: () => <BookCoachingCallPage text={Route.useLoaderData()} />,
})
