import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { fetchSubscriptionStatus, waitUntilActive } from './queries.ts'

/** How long we give a payment without a subscription, which we can't poll. */
const withoutSubscriptionMs = 3_000

type Props = {
  subscriptionId: string | null
  /** The first months are free: a card was saved, and nothing paid. */
  isFree?: boolean
  onFinished: (result: { isActive: boolean }) => void
}

export function ActivationWait({ subscriptionId, isFree = false, onFinished }: Props) {
  const toast = useToast()
  const queryClient = useQueryClient()
  const banner = useRef<HTMLDivElement>(null)
  const finish = useEffectEvent(async (signal: AbortSignal) => {
    const wait = (ms: number) => waitUnlessAborted(ms, signal)
    if (subscriptionId === null) {
      toast({ title: 'Processing Payment', description: 'Your payment is being processed.' })
      await wait(withoutSubscriptionMs)
      return onFinished({ isActive: false })
    }
    const wanted = isFree ? 'trialing' : 'active'
    const result = await waitUntilActive({ fetchStatus: () => fetchSubscriptionStatus(queryClient), wait, wanted })
    toast(result === 'slow' ? slowToast : isFree ? freeToast : activeToast)
    onFinished({ isActive: result === 'active' })
  })
  // The focused form is gone, and the page is shorter than it was.
  useEffect(() => banner.current?.focus(), [])
  useEffect(() => {
    const page = new AbortController()
    finish(page.signal).catch((error) => {
      if (!page.signal.aborted) reportError(error)
    })
    return () => page.abort()
  }, [])
  return (
    <div ref={banner} tabIndex={-1} className="pay__news">
      <Banner role="status" tone="ok" icon="sync" title="Processing Payment">
        {isFree ? 'Your card’s saved.' : 'Your payment went through.'} We’re switching your membership on. Stay on this
        page.
      </Banner>
    </div>
  )
}

const activeToast = {
  title: 'Payment Successful!',
  description: 'Welcome to the membership! Your subscription is now active.',
  tone: 'ok',
} as const

const freeToast = { title: 'You’re in', description: 'Your free time starts today.', tone: 'ok' } as const

const slowToast = {
  title: 'Payment is taking longer than usual',
  description: 'We’ll email you as soon as your membership is active.',
  duration: 10_000,
} as const

/** Rejects when the person leaves the page, which ends the polling. */
const waitUnlessAborted = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
