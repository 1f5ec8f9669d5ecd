import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/quotient/')({
  ...textPage('quotient'),
  component: lazyPage(
    () => import('#pwa/features/quotient/quotient-page.tsx'),
    ({ QuotientPage }) => <QuotientPage text={Route.useLoaderData()} />,
  ),
})
