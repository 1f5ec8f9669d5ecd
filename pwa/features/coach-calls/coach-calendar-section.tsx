import { useEffect, useRef } from 'react'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { OutsideFrame } from '#pwa/ui/outside-frame.tsx'
import type { CoachContact } from '#shared/contract/site-content.ts'
import type { CoachCallText } from '#shared/contract/texts/coach-call.ts'

type Props = {
  coach: CoachContact
  text: CoachCallText['calendar']
  /** Empty: not configured. */
  address: string
  height: 600 | 800
  onBack: () => void
}

/** One coach's calendar; its heading takes the focus that the pressed button had. */
function CoachCalendar({ coach, text, address, height, onBack }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="page-section">
      <div className="wrap">
        <p className="page-section__no">{text.name}</p>
        <div className="page-section__head">
          <h2 ref={heading} tabIndex={-1}>
            {coach.name}
          </h2>
          <p className="lead">{text.select}</p>
        </div>
        <div className="stack stack--wide">
          <div className="acts">
            {address && (
              <ButtonAnchor icon="ext" href={address} target="_blank" rel="noreferrer">
                Open Direct Booking
              </ButtonAnchor>
            )}
            <Button look="line" icon="back" onClick={onBack}>
              Choose Different Coach
            </Button>
          </div>
          {address ? (
            <Calendar address={address} coach={coach} text={text} height={height} />
          ) : (
            <EmptyState title="No calendar yet">
              <p>{text.notSetUp}</p>
              <TextAnchor isTap href={`mailto:${coach.email}`}>
                {coach.email}
              </TextAnchor>
            </EmptyState>
          )}
        </div>
      </div>
    </section>
  )
}

const Calendar = ({ address, coach, text, height }: Omit<Props, 'onBack'>) => (
  <>
    <OutsideFrame
      address={address}
      title={`Booking calendar, ${coach.name}`}
      height={height}
      overlay={{ words: 'Loading calendar...', ms: 1_500 }}
    />
    <p>
      {text.trouble}{' '}
      <TextAnchor href={address} target="_blank" rel="noreferrer">
        {text.troubleLink}
      </TextAnchor>
    </p>
  </>
)

export default CoachCalendar
