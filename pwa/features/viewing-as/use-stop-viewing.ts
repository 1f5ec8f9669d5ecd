import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { openSession, showUser } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { Impersonation } from '#shared/contract/impersonation.ts'

/** Ends viewing as a member: everything of theirs is wiped from this device, then the admin opens. */
export function useStopViewing() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async () => {
      const session = await openSession(queryClient)
      const { user } = await parseResponse(Impersonation, session.api.api.admin['stop-impersonating'].post())
      await showUser(session, user)
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
