import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import * as v from 'valibot'
import { leaveView, openSession, showUser } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Impersonation } from '#shared/contract/impersonation.ts'
import './viewing-as.css'

const Viewed = v.object({ until: v.string(), name: v.string() })

export function ViewingAsSection({ viewed }: { viewed: string }) {
  const { until, name } = v.parse(Viewed, JSON.parse(viewed))
  const { mutate, isPending } = useStopViewing()
  const left = useMinutesLeft(until, () => mutate('over'))
  return (
    <section className="viewing" aria-label="Viewing as a member">
      <div className="wrap">
        <Icon name="eye" />
        <p>
          <b>Viewing as {name}.</b> You can look, but not change anything.{' '}
          <span className="num">{left === 1 ? '1 minute left.' : `${left} minutes left.`}</span>
        </p>
        <Button look="hivis" isSmall isBusy={isPending} busyLabel="Going back…" onClick={() => mutate('asked')}>
          Stop Viewing as Member
        </Button>
      </div>
    </section>
  )
}

/** In the members' area's header, where the owner's own has the Admin link. */
export function StopViewing() {
  const { mutate, isPending } = useStopViewing()
  return (
    <button
      type="button"
      className="viewing__stop"
      aria-busy={isPending || undefined}
      onClick={() => isPending || mutate('asked')}
    >
      Stop Viewing as Member
    </button>
  )
}

/**
 * Ends viewing as a member: wipes everything of theirs from this device, then opens the admin. Once the time is over that needs no
 * signal, and we tell the server only in case its clock is behind.
 */
function useStopViewing() {
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
      const hasNoSignal = isOffline(error)
      toast({
        title: 'Failed to switch back to admin',
        ...(hasNoSignal && { description: messageOf(error, '') }),
        tone: 'bad',
      })
    },
  })
}

const minute = 60_000
const minutesUntil = (until: string) => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / minute))

/** Counts down and ends the view when the time is over, as the server does. */
function useMinutesLeft(until: string, onOver: () => void): number {
  const [left, setLeft] = useState(() => minutesUntil(until))
  const end = useEffectEvent(onOver)
  useEffect(() => {
    const timer = setInterval(() => setLeft(minutesUntil(until)), 1000)
    return () => clearInterval(timer)
  }, [until])
  const isOver = left === 0
  useEffect(() => {
    if (isOver) end()
  }, [isOver])
  return left
}
