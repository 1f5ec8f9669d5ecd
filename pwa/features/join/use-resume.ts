import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { loadOwnApi } from '#pwa/features/payment/queries.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { LoginResponse } from '#shared/contract/auth.ts'
import { isLive } from '#shared/rules/membership.ts'
import { draftOf, isEmptyDraft } from './application-draft.ts'
import { type KnownBuyer, knownBuyerQuery } from './known-buyer.ts'
import type { Join } from './use-join.ts'

/**
 * Where nothing is kept on this device, the server may know: a payment that was begun goes on, and somebody who is logged
 * in need not type what we know. What was typed meanwhile stays.
 */
export function useResume(join: Join, link: { isUsed: boolean; isContinuing: boolean }): { isMember: boolean } {
  const isUntouched = join.state.step === 'application' && isEmptyDraft(join.state.draft)
  const [isWanted] = useState(isUntouched)
  const query = knownBuyerQuery({ isLikely: link.isUsed })
  const { data: known } = useQuery({ ...query, enabled: isWanted && !link.isContinuing })
  const resume = useEffectEvent(({ user, subscription: { status, plan } }: KnownBuyer) => {
    if (!isUntouched) return
    if (status !== 'incomplete' || !plan) return join.prefill(draftOf(user))
    const name = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email
    join.buy({ email: user.email, name }, { slug: plan.slug, price: plan.net })
  })
  useEffect(() => {
    if (known) resume(known)
  }, [known])
  const status = known?.subscription.status ?? 'none'
  return { isMember: join.state.step === 'application' && isLive(status) && status !== 'incomplete' }
}

/** Uses the link of a mail up, which logs its owner in here; true while that is under way. */
export function useContinueLink(token: string | undefined) {
  const toast = useToast()
  const queryClient = useQueryClient()
  const { isPending, error } = useQuery({
    queryKey: ['continue-joining', token],
    queryFn: async () => {
      const { api } = await loadOwnApi(queryClient)
      return parseResponse(LoginResponse, api.api.auth.continue.post({ token: token ?? '' }))
    },
    enabled: token !== undefined,
    networkMode: 'always',
  })
  const tell = useEffectEvent((text: string | undefined) => {
    toast({ title: 'Error', description: text ?? 'This link does not work. Please go on below.', tone: 'bad' })
  })
  useEffect(() => {
    if (error) tell('text' in error ? String(error.text) : undefined)
  }, [error])
  return { isUsed: token !== undefined && !error, isContinuing: token !== undefined && isPending }
}
