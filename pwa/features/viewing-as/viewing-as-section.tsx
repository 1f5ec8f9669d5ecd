import { useEffect, useEffectEvent, useState } from 'react'
import * as v from 'valibot'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { useStopViewing } from './use-stop-viewing.ts'
import './viewing-as.css'

const Viewed = v.object({ until: v.string(), name: v.string() })

/** On every page while an owner views the site as a member: as whom, for how long, and the way back. */
export default function ViewingAsSection({ viewed }: { viewed: string }) {
  const { until, name } = v.parse(Viewed, JSON.parse(viewed))
  const { mutate, isPending } = useStopViewing()
  const left = useMinutesLeft(until, () => mutate('over'))
  return (
    <section className="viewing" aria-label="Viewing as a member">
      <div className="wrap">
        <Icon name="eye" />
        <p>
          <b>Viewing as {name}.</b> Read only: ticks and buttons are switched off.{' '}
          <span className="num">{left === 1 ? '1 minute left.' : `${left} minutes left.`}</span>
        </p>
        <Button look="hivis" isSmall isBusy={isPending} busyLabel="Going back…" onClick={() => mutate('asked')}>
          Stop Viewing as Member
        </Button>
      </div>
    </section>
  )
}

const minute = 60_000
const minutesUntil = (until: string) => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / minute))

/** Counts down, and ends the view by itself when the time is over, as the server does. */
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
