import { useQuery, useQueryClient } from '@tanstack/react-query'
import { parseResponse } from '#pwa/lib/api.ts'
import { SessionUser } from '#shared/contract/auth.ts'

/** Who is logged in here, by this device and by the server; undefined for nobody, and while that is not known. */
export function useCurrentUser(): SessionUser | undefined {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: ['current-user'],
    queryFn: async () => {
      const { openSession } = await import('./session-store.ts')
      const { sync, api } = await openSession(queryClient)
      // Where nobody has logged in with this browser, no request is needed.
      return sync.engine() ? parseResponse(SessionUser, api.api.auth.user.get()) : null
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: true,
  })
  return data ?? undefined
}
