import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/sales-lion')({
  ...textPage('sales-lion'),
  component: lazyPage(
    () => import('#pwa/features/sales-lion/sales-lion-page.tsx'),
    ({ SalesLionPage }) => <SalesLionPage text={Route.useLoaderData()} />,
  ),
})
