import { createFileRoute } from '@tanstack/react-router'
import { CatchUpPage } from '#pwa/features/coach-calls/catch-up-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <CatchUpPage text={Route.useLoaderData()} />

export const Route = createFileRoute('/catch-up')({ ...textPage('coach-calls'), component: Page })
