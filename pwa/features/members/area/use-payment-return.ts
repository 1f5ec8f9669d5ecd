import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { openPaidNotice } from '#pwa/features/billing/paid/paid-notice-storage.ts'
import { clearPurchase, readPurchase } from '#pwa/features/join/join-storage.ts'
import type { MembersSearch } from '#pwa/features/members/search.ts'
import { track } from '#pwa/lib/track.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import type { ToastMessage } from '#pwa/ui/toast-region.tsx'
import { withVat } from '#shared/rules/money.ts'

const welcomeMs = 8000

/**
 * Greets a member coming back from Stripe, once, and removes its parameters from the address. True after a payment that went
 * through or is being confirmed; a failed one has already been sent to its payment step.
 */
export function usePaymentReturn({ payment_intent, redirect_status }: MembersSearch): boolean {
  const [hasPaid] = useState(payment_intent !== undefined)
  const toast = useToast()
  const navigate = useNavigate()
  useEffect(() => {
    if (!payment_intent) return
    if (redirect_status === 'succeeded') countPurchase()
    openPaidNotice()
    // We no longer need what joining stored for another attempt.
    clearPurchase()
    toast(welcome(redirect_status))
    navigate({ to: '/members', search: {}, replace: true })
  }, [payment_intent, redirect_status, toast, navigate])
  return hasPaid
}

/** What was bought was stored before the bank's page; without it there's nothing to count. */
function countPurchase() {
  const purchase = readPurchase()
  if (purchase) track({ name: 'purchase', value: withVat(purchase.tierPrice).total / 100 })
}

const welcome = (status: string | undefined): ToastMessage => ({
  title: 'Welcome to the membership!',
  description:
    status === 'succeeded'
      ? 'Your payment went through. The videos and the community are all yours.'
      : 'We’ll open the videos and the community as soon as your payment’s confirmed.',
  tone: 'ok',
  duration: welcomeMs,
})
