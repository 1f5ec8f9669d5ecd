import { useEffect, useRef, useState } from 'react'
import { OwnCalendar, ownAddress } from '#pwa/features/calendar/own-calendar.tsx'
import { useOnline } from '#pwa/lib/use-online.ts'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { OutsideEmbed } from '#pwa/ui/outside-embed.tsx'
import type { CoachContact } from '#shared/contract/site-content.ts'
import type { CoachCallText } from '#shared/contract/texts/coach-call.ts'

type Props = {
  coach: CoachContact
  kind: 'coaching' | 'catch-up'
  text: CoachCallText['calendar']
  /** The coach's external calendar; empty if they use ours. */
  address: string
  height: 600 | 800
  onBack: () => void
}

/** One coach's calendar; its heading takes the focus from the pressed button. */
function CoachCalendar({ coach, kind, text, address, height, onBack }: Props) {
  const direct = address || ownAddress(kind, coach.id)
  const [isDone, setDone] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const another = (
    <Button look="line" icon="back" onClick={onBack}>
      Choose Different Coach
    </Button>
  )
  return (
    <section className="page-section">
      <div className="wrap">
        <p className="page-section__no">{text.name}</p>
        <div className="page-section__head">
          <h2 ref={heading} tabIndex={-1}>
            {coach.name}
          </h2>
          {!isDone && <p className="lead">{text.select}</p>}
        </div>
        <div className="stack stack--wide">
          {!isDone && (
            <div className="acts">
              {another}
              <DirectBooking address={direct} />
            </div>
          )}
          {address ? (
            <OutsideEmbed
              address={address}
              height={height}
              overlay={overlay}
              title={`Booking calendar, ${coach.name}`}
            />
          ) : (
            <OwnCalendar
              kind={kind}
              height={height}
              overlay={overlay}
              coach={coach.id}
              title={`Booking calendar, ${coach.name}`}
              onDone={setDone}
            />
          )}
          {isDone ? (
            <div className="acts">{another}</div>
          ) : (
            <p>
              {text.trouble}{' '}
              <TextAnchor href={direct} target="_blank" rel="noreferrer">
                {text.troubleLink}
              </TextAnchor>
            </p>
          )}
        </div>
      </div>
    </section>
  )
}

const overlay = { words: 'Loading calendar...', ms: 1_500 }

function DirectBooking({ address }: Pick<Props, 'address'>) {
  if (!useOnline())
    return (
      <Button look="line" icon="nosignal" second="Needs signal" disabled>
        Open Direct Booking
      </Button>
    )
  return (
    <ButtonAnchor look="line" icon="ext" href={address} target="_blank" rel="noreferrer">
      Open Direct Booking
    </ButtonAnchor>
  )
}

export default CoachCalendar
