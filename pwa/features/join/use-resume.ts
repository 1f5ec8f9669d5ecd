import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { ownApi } from '#pwa/features/payment/own-api.ts'
import { ask } from '#pwa/lib/api.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { LoginAnswer, SessionUser } from '#shared/contract/auth.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'

export type KnownBuyer = { user: SessionUser; subscription: BillingSubscription }

/** Who is logged in here and what he has; fails for nobody, and without signal. */
const knownBuyerQuery = queryOptions({
  queryKey: ['known-buyer'],
  queryFn: async ({ client }): Promise<KnownBuyer> => {
    const api = await ownApi(client)
    const user = await ask(SessionUser, api.auth.user.get())
    return { user, subscription: await ask(BillingSubscription, api.billing.subscription.get()) }
  },
  staleTime: 0,
  gcTime: 0,
  networkMode: 'always',
})

/** The person of this browser's session, once the server has said so. */
export const useKnownBuyer = (isWanted: boolean) => useQuery({ ...knownBuyerQuery, enabled: isWanted }).data

/** Uses the link of a mail up, which logs its owner in here; true while that is under way. */
export const useContinueLink = (token: string | undefined): { isContinuing: boolean } => {
  const toast = useToast()
  const queryClient = useQueryClient()
  const { isPending, error } = useQuery({
    queryKey: ['continue-joining', token],
    queryFn: async () => {
      const api = await ownApi(queryClient)
      return ask(LoginAnswer, api.auth.continue.post({ token: token ?? '' }))
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
  return { isContinuing: token !== undefined && isPending }
}
