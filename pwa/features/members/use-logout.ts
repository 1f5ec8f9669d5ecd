import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { leave, type OwnSession } from '#pwa/features/auth/own-session.ts'
import { countUnsentForms } from '#pwa/features/forms/unsent-forms.tsx'
import { useToast } from '#pwa/ui/toast.tsx'

/**
 * Logs out with or without signal. From the first moment nothing personal is to be shown, except that forms which could
 * not be sent (`unsent`) are told of before they go.
 */
export function useLogout(session: OwnSession) {
  const [isLeaving, setLeaving] = useState(false)
  const [unsent, setUnsent] = useState(0)
  const queryClient = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const leaveNow = async () => {
    setUnsent(0)
    setLeaving(true)
    try {
      const isPending = (await leave(session)) === 'pending'
      const description = isPending ? 'On this phone. The site hears of it when you are back in range.' : undefined
      toast({ title: 'Logged out', description, tone: 'ok' })
      await navigate({ to: '/' })
    } catch (error) {
      reportError(error)
      // The device’s own store fails: the server at least can end the session.
      window.location.assign('/api/logout')
    }
  }
  const logout = async () => {
    setLeaving(true)
    const count = await countUnsentForms(queryClient).catch(() => 0)
    if (count === 0) return leaveNow()
    setLeaving(false)
    setUnsent(count)
  }
  return { isLeaving, logout, unsent, leaveNow, stay: () => setUnsent(0) }
}
