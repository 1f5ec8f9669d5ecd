import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { track } from '#pwa/lib/track.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { type MembershipApplicationForm, MembershipApplicationResponse } from '#shared/contract/application.ts'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import type { Buyer } from './join-state.ts'
import { emptyApplication, keepApplication, readApplication } from './join-store.ts'

type OnSent = (buyer: Buyer, tier: MembershipTier) => void

/** Sends the application with the chosen tier. The same choice again, after a lost answer, makes no second one. */
export function useChooseTier(form: MembershipApplicationForm, onSent: OnSent) {
  const toast = useToast()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (tier: MembershipTier) => apply(form, tier.slug),
    networkMode: 'always',
    onSuccess: ({ id }, tier) => {
      track({ name: 'form_submit', applicationType: 'membership' })
      toast({ title: 'Ready for Payment!', description: 'Your application is in. The payment is the last step.' })
      onSent({ email: form.email, name: `${form.firstName} ${form.lastName}`, applicationId: id }, tier)
    },
    onError: () =>
      toast({
        title: 'Application Failed',
        description: 'There was an error processing your application. Please try again.',
        tone: 'bad',
      }),
  })
  // Two presses can come before the first shows.
  const isUnderWay = useRef(false)
  const choose = (tier: MembershipTier) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    mutate(tier, {
      onSettled: () => {
        isUnderWay.current = false
      },
    })
  }
  return { choose, chosen: variables, isSending: isPending }
}

async function apply(form: MembershipApplicationForm, slug: TierSlug) {
  const headers = { 'idempotency-key': keyFor(form, slug) }
  const body = { ...form, selectedTier: slug }
  return parseResponse(MembershipApplicationResponse, api.api['membership-application'].post(body, { headers }))
}

/** One key for each choice, kept with the application until it is sent. */
function keyFor(form: MembershipApplicationForm, slug: TierSlug): string {
  const { sending } = readApplication() ?? emptyApplication
  if (sending?.slug === slug) return sending.key
  const key = uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(idRandomBytes)))
  keepApplication({ draft: form, isReady: true, tier: slug, sending: { slug, key } })
  return key
}
