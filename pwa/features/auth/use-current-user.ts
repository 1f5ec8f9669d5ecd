import { useQuery, useQueryClient } from '@tanstack/react-query'
import { loadFile } from '#pwa/lib/load-file.ts'
import { isOffline } from '#pwa/lib/request-error.ts'
import { SessionUser } from '#shared/contract/auth.ts'

/**
 * Who's logged in here: as the server says, or without signal as this device knows. Undefined for no one, and until one of them has
 * responded. If no one has logged in with this browser, it asks the server only with `isAsked`: a browser may have lost its storage
 * but kept its cookie.
 */
export function useCurrentUser({ isAsked = false } = {}): SessionUser | undefined {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: ['current-user', isAsked],
    queryFn: async () => {
      const { openSession, refreshUser } = await loadFile(() => import('./session-store.ts'))
      const session = await openSession(queryClient)
      if (session.sync.engine() === null && !isAsked) return null
      await refreshUser(session).catch((error: unknown) => {
        if (!isOffline(error)) throw error
      })
      const engine = session.sync.engine()
      if (engine === null) return null
      const { readSnapshot } = await loadFile(() => import('#pwa/sync/progress/snapshots.ts'))
      return (await readSnapshot(engine.store, 'user', SessionUser)) ?? null
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: true,
  })
  return data ?? undefined
}
