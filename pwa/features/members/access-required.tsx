import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Blank } from './blank.tsx'
import type { MemberTab } from './search.ts'

/** How long somebody may read why he is sent to log in. */
const goOnMs = 2000

/** Nobody is logged in: says so, then goes to the login, which comes back here. */
export function AccessRequired({ tab }: { tab: MemberTab }) {
  const toast = useToast()
  const navigate = useNavigate()
  const redirect = tab === 'dashboard' ? '/members' : `/members?tab=${tab}`
  useEffect(() => {
    toast({ title: 'Access Required', description: 'Please log in to see the members area.', tone: 'bad' })
    const timer = setTimeout(() => navigate({ to: '/login', search: { redirect }, replace: true }), goOnMs)
    return () => clearTimeout(timer)
  }, [toast, navigate, redirect])
  return (
    <Blank
      title="Access Required"
      action={
        <ButtonLink to="/login" search={{ redirect }} icon="arrow">
          Log in
        </ButtonLink>
      }
    >
      Please log in to see the members area. The login page opens by itself.
    </Blank>
  )
}
