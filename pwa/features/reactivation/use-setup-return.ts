import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { track } from '#pwa/lib/track.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { savedToast } from './delayed-words.ts'
import { type KeptDelayed, keepDelayed, readDelayed } from './kept-delayed.ts'
import { takeTotal } from './kept-total.ts'
import type { ReturnSearch } from './return-search.ts'

/** `failed`: the bank or PayPal said no. `delayed` is what was set up by a link in this tab, done or failed just now. */
export type SetupReturn = { isFailed: boolean; delayed: KeptDelayed | null }

/** What this page was reached after; what the provider added to its address is taken out again. */
export function useSetupReturn(search: ReturnSearch): SetupReturn {
  const [{ isReturn, isPayment, ...outcome }] = useState(() => outcomeOf(search, readDelayed()))
  const toast = useToast()
  const navigate = useNavigate()
  const { isFailed, delayed } = outcome
  useEffect(() => {
    if (!isReturn) return
    if (!isFailed && isPayment) {
      const total = delayed?.total ?? takeTotal()
      if (total !== null) track({ name: 'purchase', value: total / 100 })
    }
    if (delayed && !isFailed) {
      keepDelayed({ ...delayed, isDone: true })
      toast(savedToast(delayed))
    }
    navigate({ to: '/membership-success', search: {}, replace: true })
  }, [isReturn, isPayment, isFailed, delayed, toast, navigate])
  return outcome
}

function outcomeOf(
  { payment_intent, setup_intent, redirect_status }: ReturnSearch,
  kept: KeptDelayed | null,
): SetupReturn & { isReturn: boolean; isPayment: boolean } {
  if (!payment_intent && !setup_intent) {
    return { isReturn: false, isPayment: false, isFailed: false, delayed: kept?.isDone ? kept : null }
  }
  const isOfLink = kept !== null && !kept.isDone && Boolean(kept.isDue ? payment_intent : setup_intent)
  // A set-up alone takes nothing.
  const isPayment = Boolean(payment_intent)
  return { isReturn: true, isPayment, isFailed: redirect_status === 'failed', delayed: isOfLink ? kept : null }
}
