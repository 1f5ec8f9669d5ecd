import { createFileRoute } from '@tanstack/react-router'
import { SalesLionPage } from '#pwa/features/sales-lion/sales-lion-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <SalesLionPage text={Route.useLoaderData()} />

export const Route = createFileRoute('/sales-lion')({ ...textPage('sales-lion'), component: Page })
