import { queryOptions } from '@tanstack/react-query'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { SessionUser } from '#shared/contract/auth.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'

export type CurrentBuyer = { session: AuthSession; user: SessionUser; subscription: BillingSubscription }

/** The server says no one's logged in. No other error means that. */
export const isLoggedOut = (error: Error): boolean => error instanceof RequestError && error.code === 'unauthenticated'

/**
 * Null if no one's logged in; fails without signal. Refetched at each visit. `isLikely`: someone may be logged in although this
 * device has stored no one, for instance after a payment.
 */
export const currentBuyerQuery = ({ isLikely }: { isLikely: boolean }) =>
  queryOptions({
    queryKey: ['current-buyer', isLikely],
    queryFn: async ({ client }): Promise<CurrentBuyer | null> => {
      const { openSession } = await loadFile(() => import('#pwa/features/auth/session-store.ts'))
      const session = await openSession(client)
      if (!isLikely && !session.sync.engine()) return null
      const { api } = session.api
      const user = await parseResponse(SessionUser, api.auth.user.get())
      return { session, user, subscription: await parseResponse(BillingSubscription, api.billing.subscription.get()) }
    },
    structuralSharing: false,
    staleTime: 0,
    gcTime: 0,
  })
