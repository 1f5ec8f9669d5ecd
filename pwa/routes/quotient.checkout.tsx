import { createFileRoute } from '@tanstack/react-router'
import { CheckoutPage } from '#pwa/features/quotient/checkout-page.tsx'
import { pageHead } from '#pwa/lib/page-head.ts'

type Search = { package?: string }

const Page = () => <CheckoutPage chosen={Route.useSearch().package} />

export const Route = createFileRoute('/quotient/checkout')({
  validateSearch: ({ package: chosen }: Record<string, unknown>): Search =>
    typeof chosen === 'string' ? { package: chosen } : {},
  component: Page,
  head: ({ match }) => {
    const { name: siteName } = match.context.content.brand
    return pageHead({ title: 'Your Quotient setup', description: 'The package and what it costs.', siteName })
  },
})
