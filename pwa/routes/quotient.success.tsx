import { createFileRoute } from '@tanstack/react-router'
import type { SuccessSearch } from '#pwa/features/quotient/use-payment-state.ts'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { requireQuery } from '#pwa/lib/loader-data.ts'
import { pageHead } from '#pwa/lib/page-head.ts'
import { pageTextQuery } from '#pwa/lib/text-page.ts'

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

export const Route = createFileRoute('/quotient/success')({
  validateSearch: ({ payment_intent: payment, payment_intent_client_secret: secret }): SuccessSearch => ({
    payment_intent: textOf(payment),
    payment_intent_client_secret: textOf(secret),
  }),
  loader: ({ context }) => requireQuery(context, pageTextQuery('quotient')),
  component: lazyPage(
    () => import('#pwa/features/quotient/success-page.tsx'),
    ({ SuccessPage }) => <SuccessPage text={Route.useLoaderData()} search={Route.useSearch()} />,
  ),
  head: ({ match, loaderData }) =>
    loaderData ? pageHead({ ...loaderData.success, siteName: match.context.content.brand.name }) : {},
})
