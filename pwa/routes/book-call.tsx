import { createFileRoute } from '@tanstack/react-router'
import { BookCallPage } from '#pwa/features/coach-calls/book-call-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <BookCallPage text={Route.useLoaderData()} />

export const Route = createFileRoute('/book-call')({ ...textPage('coach-calls'), component: Page })
