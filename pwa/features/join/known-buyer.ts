import { queryOptions } from '@tanstack/react-query'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { SessionUser } from '#shared/contract/auth.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'

/** Whom the server takes this browser for, and what he has. */
export type KnownBuyer = { session: AuthSession; user: SessionUser; subscription: BillingSubscription }

/** The server has said that nobody is logged in; anything else that failed says nothing of the kind. */
export const isNobody = (error: Error): boolean => error instanceof RequestError && error.code === 'unauthenticated'

/**
 * Null for nobody; fails without signal. Asked anew at each visit. `isLikely`: there is reason to ask even though nobody
 * has logged in on this device, such as a payment just made.
 */
export const knownBuyerQuery = ({ isLikely }: { isLikely: boolean }) =>
  queryOptions({
    queryKey: ['known-buyer', isLikely],
    queryFn: async ({ client }): Promise<KnownBuyer | null> => {
      const { openSession } = await import('#pwa/features/auth/session-store.ts')
      const session = await openSession(client)
      if (!isLikely && !session.sync.engine()) return null
      const { api } = session.api
      const user = await parseResponse(SessionUser, api.auth.user.get())
      return { session, user, subscription: await parseResponse(BillingSubscription, api.billing.subscription.get()) }
    },
    structuralSharing: false,
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
  })
