import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import type { CardFormProps } from '#pwa/features/payment/card/card-form.tsx'
import { CardFormSkeleton } from '#pwa/features/payment/card/lazy-card-form.tsx'
import { providerQuery } from '#pwa/features/payment/queries.ts'
import { Button } from '#pwa/ui/button.tsx'
import { addressQuery, useDesk } from './desk.ts'
import { Refused } from './refused.tsx'
import '#pwa/features/payment/payment.css'

const CardForm = lazy(() => import('#pwa/features/payment/card/card-form.tsx'))

type Props = Omit<CardFormProps, 'provider' | 'clientSecret' | 'holder' | 'address'> & {
  heading: string
  /** Undefined until the provider waits for the card. */
  clientSecret: string | undefined
  error?: Error | null
  onRetry?: () => void
  keep: string
  onKeep: () => void
}

/** The card form of the payment step, with the name and the address that are on file. */
export function CardPanel({ heading, clientSecret, error = null, onRetry, keep, onKeep, ...form }: Props) {
  const desk = useDesk()
  const provider = useQuery(providerQuery)
  const address = useQuery(addressQuery(desk))
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const problem = error ?? provider.error
  const retry = () => {
    if (provider.error) provider.refetch()
    onRetry?.()
  }
  return (
    <div className="billing__card">
      <h3 ref={title} tabIndex={-1} className="billing__subtitle">
        {heading}
      </h3>
      {problem ? (
        <>
          <Refused title="The card form could not be loaded" error={problem} />
          <Button look="line" isSmall icon="sync" onClick={retry}>
            Try again
          </Button>
        </>
      ) : clientSecret && provider.data && !address.isPending ? (
        <Suspense fallback={<CardFormSkeleton />}>
          <CardForm
            provider={provider.data}
            clientSecret={clientSecret}
            holder={desk.holder}
            address={address.data ?? undefined}
            {...form}
          />
        </Suspense>
      ) : (
        <CardFormSkeleton />
      )}
      <Button look="bare" onClick={onKeep}>
        {keep}
      </Button>
    </div>
  )
}
