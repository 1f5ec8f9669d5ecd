import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { leaveView, openSession, showUser } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { Impersonation } from '#shared/contract/impersonation.ts'

/**
 * Ends viewing as a member: everything of theirs is wiped from this device, then the admin opens. Once the time is over that
 * needs no signal, and the server is told only in case its clock is behind.
 */
export function useStopViewing() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (why: 'asked' | 'over') => {
      const session = await openSession(queryClient)
      if (why === 'over') await leaveView(session)
      try {
        const { user } = await parseResponse(Impersonation, session.api.api.admin['stop-impersonating'].post())
        await showUser(session, user)
      } catch (error) {
        if (why === 'asked') throw error
      }
    },
    onSuccess: () => navigate({ to: '/admin' }),
    onError: (error) => {
      const isOffline = error instanceof RequestError && error.code === 'offline'
      toast({
        title: 'Failed to switch back to admin',
        ...(isOffline && { description: messageOf(error, '') }),
        tone: 'bad',
      })
    },
  })
}
