import { createFileRoute } from '@tanstack/react-router'
import { quotientFacts } from '#pwa/features/quotient/quotient-facts.ts'
import { QuotientPage } from '#pwa/features/quotient/quotient-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <QuotientPage text={Route.useLoaderData()} />

export const Route = createFileRoute('/quotient/')({
  ...textPage('quotient', import.meta.env.SSR ? quotientFacts : undefined),
  component: Page,
})
