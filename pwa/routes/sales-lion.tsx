import { createFileRoute } from '@tanstack/react-router'
import { SalesLionPage } from '#pwa/features/sales-lion/sales-lion-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/sales-lion')({
  ...textPage('sales-lion'),
  component: () => <SalesLionPage text={Route.useLoaderData()} />,
})
