import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { ask } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { BillingSubscription } from '#shared/contract/billing.ts'
import { ownApi } from './own-api.ts'
import { waitUntilActive } from './wait-until-active.ts'

/** A look at the subscription that takes longer than this has failed. */
const lookMs = 5_000
/** How long a payment without a subscription is given. */
const withoutSubscriptionMs = 3_000

type Props = { subscriptionId: string | null; onSettled: (result: { isActive: boolean }) => void }

/** The provider has the payment; the membership follows in a moment. */
export function Settling({ subscriptionId, onSettled }: Props) {
  const toast = useToast()
  const queryClient = useQueryClient()
  const place = useRef<HTMLDivElement>(null)
  const settle = useEffectEvent(async (signal: AbortSignal) => {
    const wait = (ms: number) => waitFor(ms, signal)
    if (subscriptionId === null) {
      toast({ title: 'Processing Payment', description: 'Your payment is being processed.' })
      await wait(withoutSubscriptionMs)
      return onSettled({ isActive: false })
    }
    const result = await waitUntilActive({ askStatus: () => askStatus(queryClient), wait })
    toast(result === 'active' ? welcome : takingLonger)
    onSettled({ isActive: result === 'active' })
  })
  // The form that was here is gone, and the page is shorter than it was.
  useEffect(() => place.current?.focus(), [])
  useEffect(() => {
    const page = new AbortController()
    settle(page.signal).catch((error) => {
      if (!page.signal.aborted) reportError(error)
    })
    return () => page.abort()
  }, [])
  return (
    <div ref={place} tabIndex={-1} className="pay__news">
      <Banner role="status" tone="ok" icon="sync" title="Processing Payment">
        Your payment went through. We are switching your membership on; please stay on this page.
      </Banner>
    </div>
  )
}

const welcome = {
  title: 'Payment Successful!',
  description: 'Welcome to the membership! Your subscription is now active.',
  tone: 'ok',
} as const

const takingLonger = {
  title: 'Payment is taking longer than usual',
  description: 'We will e-mail you as soon as your membership is active.',
  duration: 10_000,
} as const

async function askStatus(queryClient: QueryClient) {
  const { api } = await ownApi(queryClient)
  const fetch = { signal: AbortSignal.timeout(lookMs) }
  const { status } = await ask(BillingSubscription, api.api.billing.subscription.get({ fetch }))
  return status
}

/** Rejects when the page is left, which ends the waiting. */
const waitFor = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
