import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ask } from '#pwa/lib/api.ts'
import { SessionUser } from '#shared/contract/auth.ts'

/** Whoever the server takes this browser for; undefined while it has not said, and where it is nobody. */
export const useWhoIsHere = (): SessionUser | undefined => {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: ['who-is-here'],
    queryFn: async () => {
      const { ownSession } = await import('./own-session.ts')
      const { api } = await ownSession(queryClient)
      return ask(SessionUser, api.api.auth.user.get())
    },
    staleTime: 0,
    gcTime: 0,
  })
  return data
}
