import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { requireQuery } from '#pwa/lib/loader-data.ts'
import { pageHead } from '#pwa/lib/page-head.ts'
import { pageTextQuery } from '#pwa/lib/text-page.ts'

type Search = { package?: string }

export const Route = createFileRoute('/quotient/checkout')({
  validateSearch: ({ package: chosen }: Record<string, unknown>): Search =>
    typeof chosen === 'string' ? { package: chosen } : {},
  loader: ({ context }) => requireQuery(context, pageTextQuery('quotient')),
  component: lazyPage(
    () => import('#pwa/features/quotient/checkout-page.tsx'),
    ({ CheckoutPage }) => <CheckoutPage text={Route.useLoaderData()} chosen={Route.useSearch().package} />,
  ),
  head: ({ match, loaderData }) =>
    loaderData ? pageHead({ ...loaderData.checkout, siteName: match.context.content.brand.name }) : {},
})
