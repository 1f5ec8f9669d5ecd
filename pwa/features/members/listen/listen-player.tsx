import { useEffect, useState } from 'react'
import { useFilm, useFilmPosition, useMediaSession } from '#pwa/features/members/lesson/use-film.ts'
import { speeds, useSpeed } from '#pwa/features/members/lesson/use-speed.ts'
import { useFilmSign } from '#pwa/features/members/shelf/use-film-sign.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, SelectField } from '#pwa/ui/field.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { type SleepTimer, sleepTimers } from '#shared/rules/listen-queue.ts'
import { formatClock } from '#shared/rules/london.ts'
import type { Listening } from './use-listening.ts'

type Props = {
  listening: Listening
  /** Where the member stopped in the video that plays, in seconds. */
  stoppedAt: number
  isDone: boolean
  onComplete: (videoId: string) => void
}

export function ListenPlayer({ listening, stoppedAt, isDone, onComplete }: Props) {
  const { element, setElement, current, first, previous, next, hasFailed, play } = listening
  const attach = useFilmSign(setElement)
  return (
    <section className="sheet account__sheet listen" aria-label="Player">
      <p className="listen__title">{current?.title ?? first?.title ?? 'Add a video below.'}</p>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript is on the video's page */}
      <audio ref={attach} controls={current !== null} preload="auto" />
      {hasFailed && <p role="alert">We can’t play this one here. Try the next.</p>}
      <div className="acts">
        {current === null ? (
          <Button icon="play" disabled={first === undefined} onClick={() => first && play(first)}>
            Play
          </Button>
        ) : (
          <>
            <Button look="line" icon="back" disabled={previous === null} onClick={() => previous && play(previous)}>
              Previous
            </Button>
            <Button look="line" icon="arrow" disabled={next === null} onClick={() => next && play(next)}>
              Next
            </Button>
          </>
        )}
      </div>
      {current && element && (
        <Heard key={current.id} {...{ listening, element, current, stoppedAt, isDone, onComplete }} />
      )}
      <Choices listening={listening} />
    </section>
  )
}

type HeardProps = Props & { element: HTMLAudioElement; current: MemberVideo }

/** The position, the lock screen and the tick of the video that plays. */
function Heard({ listening, element, current, stoppedAt, isDone, onComplete }: HeardProps) {
  const { previous, next, play } = listening
  const [startAt] = useState(stoppedAt)
  const { isNearlyDone, writer } = useFilm(current.id)
  useFilmPosition(element, startAt, writer)
  const { brand } = useSiteContent()
  const [skips, setSkips] = useState<{ onPrevious: (() => void) | null; onNext: (() => void) | null }>(none)
  useEffect(() => {
    setSkips({ onPrevious: previous && (() => play(previous)), onNext: next && (() => play(next)) })
  }, [previous, next, play])
  useMediaSession(element, { title: current.title, artist: brand.name, album: current.category, ...skips })
  if (!isNearlyDone || isDone) return null
  return (
    <Banner
      role="status"
      title="You’ve heard nearly all of it"
      action={
        <Button isSmall icon="tick" onClick={() => onComplete(current.id)}>
          Tick it off
        </Button>
      }
    />
  )
}

const none = { onPrevious: null, onNext: null }

const sleepLabels: Record<SleepTimer, string> = {
  ...{ off: 'Don’t stop', '15': '15 minutes', '30': '30 minutes', '45': '45 minutes', '60': 'An hour' },
  end: 'At the end of this video',
}

function Choices({ listening: { element, playsNext, setPlaysNext, sleep, sleepAfter } }: Pick<Props, 'listening'>) {
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
