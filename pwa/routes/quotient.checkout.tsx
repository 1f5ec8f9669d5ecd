import { createFileRoute } from '@tanstack/react-router'
import { CheckoutPage } from '#pwa/features/quotient/checkout-page.tsx'
import { requireQuery } from '#pwa/lib/loader-data.ts'
import { pageHead } from '#pwa/lib/page-head.ts'
import { pageTextQuery } from '#pwa/lib/text-page.ts'

type Search = { package?: string }

export const Route = createFileRoute('/quotient/checkout')({
  validateSearch: ({ package: chosen }: Record<string, unknown>): Search =>
    typeof chosen === 'string' ? { package: chosen } : {},
  loader: ({ context }) => requireQuery(context, pageTextQuery('quotient')),
  component: () => <CheckoutPage text={Route.useLoaderData()} chosen={Route.useSearch().package} />,
  head: ({ match, loaderData }) =>
    loaderData ? pageHead({ ...loaderData.checkout, siteName: match.context.content.brand.name }) : {},
})
