import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { openPaidNotice } from '#pwa/features/billing/paid/paid-notice-storage.ts'
import {
  type DelayedSetup,
  readDelayedSetup,
  saveDelayedSetup,
  takePaymentTotal,
} from '#pwa/features/reactivation/reactivation-storage.ts'
import { savedToast } from '#pwa/features/reactivation/reactivation-texts.ts'
import type { ReturnSearch } from '#pwa/features/reactivation/search.ts'
import { track } from '#pwa/lib/track.ts'
import { useToast } from '#pwa/ui/toast.tsx'

export type ProviderReturn = { hasFailed: boolean; setup: DelayedSetup | null }

/** What led to this page. Removes the parameters Stripe added to its address. */
export function useProviderReturn(search: ReturnSearch): ProviderReturn {
  const [{ isReturn, isPayment, hasFailed, setup }] = useState(() => readReturn(search, readDelayedSetup()))
  const toast = useToast()
  const navigate = useNavigate()
  useEffect(() => {
    if (!isReturn) return
    if (!hasFailed && isPayment) {
      // A link pays for its own member, who may not be the one logged in.
      if (!setup) openPaidNotice()
      const total = setup?.total ?? takePaymentTotal()
      if (total !== null) track({ name: 'purchase', value: total / 100 })
    }
    if (setup && !hasFailed) {
      saveDelayedSetup({ ...setup, isDone: true })
      toast(savedToast(setup))
    }
    navigate({ to: '/membership-success', search: {}, replace: true })
  }, [isReturn, isPayment, hasFailed, setup, toast, navigate])
  return { hasFailed, setup }
}

function readReturn(
  { payment_intent, setup_intent, redirect_status }: ReturnSearch,
  stored: DelayedSetup | null,
): ProviderReturn & { isReturn: boolean; isPayment: boolean } {
  if (!payment_intent && !setup_intent) {
    return { isReturn: false, isPayment: false, hasFailed: false, setup: stored?.isDone ? stored : null }
  }
  const isOfLink = stored !== null && !stored.isDone && Boolean(stored.isDue ? payment_intent : setup_intent)
  return {
    isReturn: true,
    // A SetupIntent on its own takes no money.
    isPayment: Boolean(payment_intent),
    hasFailed: redirect_status === 'failed',
    setup: isOfLink ? stored : null,
  }
}
