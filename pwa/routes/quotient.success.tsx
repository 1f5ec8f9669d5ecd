import { createFileRoute } from '@tanstack/react-router'
import { SuccessPage, type SuccessSearch } from '#pwa/features/quotient/success-page.tsx'
import { pageHead } from '#pwa/lib/page-head.ts'
import { pageTextQuery } from '#pwa/lib/page-texts.ts'
import { need } from '#pwa/lib/router.tsx'

const Page = () => <SuccessPage text={Route.useLoaderData()} search={Route.useSearch()} />

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

export const Route = createFileRoute('/quotient/success')({
  validateSearch: ({ payment_intent, redirect_status }: Record<string, unknown>): SuccessSearch => {
    const [payment, status] = [textOf(payment_intent), textOf(redirect_status)]
    return {
      ...(payment === undefined ? {} : { payment_intent: payment }),
      ...(status === undefined ? {} : { redirect_status: status }),
    }
  },
  loader: ({ context }) => need(context, pageTextQuery('quotient')),
  component: Page,
  head: ({ match, loaderData }) =>
    loaderData ? pageHead({ ...loaderData.success, siteName: match.context.content.brand.name }) : {},
})
