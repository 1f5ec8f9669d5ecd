import { lazy, type ReactNode, Suspense } from 'react'
import type { Provider } from '#pwa/features/payment/queries.ts'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { CardFormProps } from './card-form.tsx'
import '#pwa/features/payment/payment.css'

const CardForm = lazy(() => import('./card-form.tsx'))

type Props = Omit<CardFormProps, 'provider'> & {
  provider: Provider | undefined
  /** Shown above the form, and with it: the skeleton is shown in the place of both. */
  children?: ReactNode
}

/** The card form, which is loaded at a payment step alone; a skeleton until it and the provider's library are there. */
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
