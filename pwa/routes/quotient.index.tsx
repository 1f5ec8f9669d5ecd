import { createFileRoute } from '@tanstack/react-router'
import { QuotientPage } from '#pwa/features/quotient/quotient-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

export const Route = createFileRoute('/quotient/')({
  ...textPage('quotient'),
  component: () => <QuotientPage text={Route.useLoaderData()} />,
})
