import { lazy, type ReactNode, Suspense } from 'react'
import type { Provider } from '#pwa/features/payment/queries.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { CardFormProps } from './card-form.tsx'
import '#pwa/features/payment/payment.css'

const CardForm = lazy(() => loadFile(() => import('./card-form.tsx')))

type Props = Omit<CardFormProps, 'provider'> & {
  provider: Provider | undefined
  /** Shown above the form and together with it: the skeleton replaces both. */
  children?: ReactNode
}

/** The card form, loaded only at a payment step; a skeleton until it and Stripe's library are there. */
export function LazyCardForm({ provider, children, ...form }: Props) {
  if (!provider) return <CardFormSkeleton />
  return (
    <Suspense fallback={<CardFormSkeleton />}>
      {children}
      <CardForm provider={provider} {...form} />
    </Suspense>
  )
}

export const CardFormSkeleton = () => (
  <div className="pay__form" role="status">
    <span className="vh">Getting the payment form ready</span>
    <Skeleton size="button" />
    <Skeleton size="button" />
    <Skeleton size="button" isShort />
    <Skeleton size="button" />
  </div>
)
