import { useEffect, useState } from 'react'
import { speeds, useSpeed } from '#pwa/features/members/video-page/use-speed.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, SelectField } from '#pwa/ui/field.tsx'
import { type SleepTimer, sleepTimers } from '#shared/rules/listen-queue.ts'
import { formatClock } from '#shared/rules/london.ts'
import { formatPosition } from '#shared/rules/video.ts'
import { Transport } from './listen-bar.tsx'
import type { Heard } from './radio.tsx'

type Props = { heard: Heard; isDone: boolean; onComplete: (videoId: string) => void }

export function ListenPlayer({ heard, isDone, onComplete }: Props) {
  const { element, current, first, previous, next, hasFailed, isNearlyDone, play } = heard
  return (
    <section className="sheet account__sheet listen" aria-label="Player">
      <p className="listen__title">{current?.title ?? first?.title ?? 'Add a video below.'}</p>
      {current && element && <Where element={element} />}
      {hasFailed && <p role="alert">We can’t play this one here. Try the next.</p>}
      <div className="acts">
        {current === null || element === null ? (
          <Button icon="play" disabled={first === undefined} onClick={() => first && play(first)}>
            Play
          </Button>
        ) : (
          <>
            <Transport element={element} />
            <Button look="line" icon="back" disabled={previous === null} onClick={() => previous && play(previous)}>
              Previous
            </Button>
            <Button look="line" icon="arrow" disabled={next === null} onClick={() => next && play(next)}>
              Next
            </Button>
          </>
        )}
      </div>
      {current && isNearlyDone && !isDone && (
        <Banner
          role="status"
          title="You’ve heard nearly all of it"
          action={
            <Button isSmall icon="tick" onClick={() => onComplete(current.id)}>
              Tick it off
            </Button>
          }
        />
      )}
      <Choices heard={heard} />
    </section>
  )
}

const moving = ['timeupdate', 'loadedmetadata', 'seeked', 'emptied']

/** How far it has got, and to choose another second. */
function Where({ element }: { element: HTMLAudioElement }) {
  const [now, setNow] = useState(element.currentTime)
  useEffect(() => {
    const moved = () => setNow(element.currentTime)
    for (const name of moving) element.addEventListener(name, moved)
    return () => {
      for (const name of moving) element.removeEventListener(name, moved)
    }
  }, [element])
  const length = Number.isFinite(element.duration) ? element.duration : 0
  return (
    <label className="listen__where">
      <span className="vh">Where it’s playing</span>
      <input
        type="range"
        max={Math.ceil(length)}
        value={Math.floor(now)}
        aria-valuetext={formatPosition(Math.floor(now))}
        onChange={({ target }) => {
          element.currentTime = Number(target.value)
        }}
      />
      <span className="num">
        {formatPosition(Math.floor(now))} of {formatPosition(Math.floor(length))}
      </span>
    </label>
  )
}

const sleepLabels: Record<SleepTimer, string> = {
  off: 'Don’t stop',
  '15': '15 minutes',
  '30': '30 minutes',
  '45': '45 minutes',
  '60': 'An hour',
  end: 'At the end of this video',
}

function Choices({ heard: { element, playsNext, setPlaysNext, sleep, sleepAfter } }: Pick<Props, 'heard'>) {
  const { speed, choose } = useSpeed(element)
  return (
    <div className="listen__choices">
      <CheckField
        label="Play the next one straight after"
        checked={playsNext}
        onChange={({ target }) => setPlaysNext(target.checked)}
      />
      <SelectField
        label="Stop after"
        hint={sleep.at === null ? undefined : <span role="status">Stops at {formatClock(new Date(sleep.at))}.</span>}
        value={sleep.timer}
        onChange={({ target }) => sleepAfter(sleepTimers.find((timer) => timer === target.value) ?? 'off')}
      >
        {sleepTimers.map((timer) => (
          <option key={timer} value={timer}>
            {sleepLabels[timer]}
          </option>
        ))}
      </SelectField>
      <SelectField label="Speed" value={speed} onChange={({ target }) => choose(Number(target.value))}>
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one} ×
          </option>
        ))}
      </SelectField>
    </div>
  )
}
