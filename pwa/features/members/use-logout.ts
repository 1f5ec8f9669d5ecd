import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { leave, type OwnSession } from '#pwa/features/auth/own-session.ts'
import { useToast } from '#pwa/ui/toast.tsx'

/** Logs out with or without signal. From the first moment nothing personal is to be shown. */
export const useLogout = (session: OwnSession) => {
  const [isLeaving, setLeaving] = useState(false)
  const toast = useToast()
  const navigate = useNavigate()
  const logout = async () => {
    setLeaving(true)
    try {
      const isOwed = (await leave(session)) === 'owed'
      const description = isOwed ? 'On this phone. The site hears of it when you are back in range.' : undefined
      toast({ title: 'Logged out', description, tone: 'ok' })
      await navigate({ to: '/' })
    } catch (error) {
      reportError(error)
      // The device’s own store fails: the server at least can end the session.
      window.location.assign('/api/logout')
    }
  }
  return { isLeaving, logout }
}
