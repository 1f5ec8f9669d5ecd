import { useEffect, useId, useRef, useState } from 'react'
import type { ShownCommitment } from '#pwa/sync/commitments/status.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { DateField } from '#pwa/ui/date-field.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { dayText, shortDay } from '#shared/rules/commitment-words.ts'
import { isLate } from '#shared/rules/commitments.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { byWhen, nextDay, noLaterDay } from './commitment-texts.ts'
import type { Change } from './use-commitment-actions.ts'
import './commitments.css'

type Props = {
  commitment: ShownCommitment
  today: string
  /** An owner who views the site as a member changes nothing. */
  isReadOnly: boolean
  /** Without where it came from. */
  isShort?: boolean
  /** It was pressed here, perhaps in another list. */
  isTouched: boolean
  onChange: (commitment: ShownCommitment, change: Change) => void
}

/** One commitment, with what can be done to it: one press each, with or without signal. */
export function CommitmentItem({ commitment, today, isReadOnly, isShort, isTouched, onChange }: Props) {
  const { text, day, state, isWaiting } = commitment
  const title = useId()
  const actions = useRef<HTMLDivElement>(null)
  // A press may have led here from another list.
  const hasPressed = useRef(isTouched)
  const shown = `${state} ${day}`
  const before = useRef(isTouched ? '' : shown)
  // The pressed button is gone, and what it led to is in its place.
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    if (hasPressed.current && isFocusLost()) actions.current?.querySelector('button')?.focus()
    hasPressed.current = false
  }, [shown])
  const press = (change: Change) => {
    hasPressed.current = true
    onChange(commitment, change)
  }
  return (
    <li className="commit__item" aria-labelledby={title}>
      <p className="commit__text" id={title}>
        {text}
      </p>
      <p className="second">
        {whenOf(commitment, today)} {isWaiting && <Badge tone="wait">Waiting to send</Badge>}
      </p>
      {!isShort && <From commitment={commitment} />}
      {!isReadOnly && (
        <div className="acts" ref={actions}>
          {state === 'open' ? (
            <OpenActions commitment={commitment} today={today} title={title} press={press} />
          ) : state === 'proposed' ? (
            <>
              <Button isSmall icon="tick" aria-describedby={title} onClick={() => press({ state: 'open' })}>
                Yes, I’ll do it
              </Button>
              <Button isSmall look="line" aria-describedby={title} onClick={() => press({ state: 'dropped' })}>
                Not for me
              </Button>
            </>
          ) : (
            <Button isSmall look="line" icon="undo" aria-describedby={title} onClick={() => press({ state: 'open' })}>
              {state === 'done' ? 'Not done yet' : 'Put it on my list'}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}

const isFocusLost = () => document.activeElement === null || document.activeElement === document.body

function whenOf({ state, day, doneOn }: ShownCommitment, today: string): string {
  if (state === 'done') return doneOn === null ? 'Done' : `Done ${dayText(doneOn, today)}`
  if (state === 'dropped') return 'Dropped'
  return state === 'proposed' ? `By ${dayText(day, today)}` : byWhen(day, today)
}

type OpenProps = Pick<Props, 'commitment' | 'today'> & { title: string; press: (change: Change) => void }

function OpenActions({ commitment, today, title, press }: OpenProps) {
  const [isChoosing, setChoosing] = useState(false)
  const [isPast, setPast] = useState(false)
  const later = nextDay(commitment.day, today)
  return (
    <>
      <Button isSmall icon="tick" aria-describedby={title} onClick={() => press({ state: 'done' })}>
        Done
      </Button>
      {isLate(commitment, today) && (
        <Button isSmall look="line" aria-describedby={title} onClick={() => press({ day: later })}>
          New day: {shortDay(later)}
        </Button>
      )}
      <Button
        isSmall
        look="line"
        aria-describedby={title}
        aria-expanded={isChoosing}
        onClick={() => setChoosing(!isChoosing)}
      >
        {isLate(commitment, today) ? 'Another day' : 'Change the day'}
      </Button>
      <Button isSmall look="bare" aria-describedby={title} onClick={() => press({ state: 'dropped' })}>
        Drop it
      </Button>
      {isChoosing && (
        <DateField
          className="commit__day"
          label="New day"
          defaultValue={commitment.day < today ? later : commitment.day}
          min={today}
          error={isPast ? noLaterDay : undefined}
          onSettle={(day) => {
            setPast(day !== '' && day < today)
            if (day < today || day === commitment.day) return
            setChoosing(false)
            press({ day })
          }}
        />
      )}
    </>
  )
}

function From({ commitment: { madeBy, video, call } }: Pick<Props, 'commitment'>) {
  if (video)
    return (
      <p className="second">
        From{' '}
        <TextLink to="/members/videos/$slug" params={{ slug: video.slug }}>
          {video.title}
        </TextLink>
      </p>
    )
  if (call)
    return (
      <p className="second">
        From{' '}
        <TextLink to="/members/$place" params={{ place: 'calls' }}>
          your call on {formatLongDate(call.startsAt)}
        </TextLink>
      </p>
    )
  return madeBy === 'coach' ? <p className="second">Your coach suggested it</p> : null
}
