import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ask } from '#pwa/lib/api.ts'
import { SessionUser } from '#shared/contract/auth.ts'

/** Whoever is logged in here, by this device and by the server; undefined for nobody, and while that is not known. */
export function useWhoIsHere(): SessionUser | undefined {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: ['who-is-here'],
    queryFn: async () => {
      const { ownSession } = await import('./own-session.ts')
      const { sync, api } = await ownSession(queryClient)
      // A browser that nobody has logged in with need not ask.
      return sync.engine() ? ask(SessionUser, api.api.auth.user.get()) : null
    },
    staleTime: 0,
    gcTime: 0,
  })
  return data ?? undefined
}
