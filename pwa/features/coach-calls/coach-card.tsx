import { useEffect, useRef } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { CoachContact } from '#shared/contract/site-content.ts'
import type { CoachCallText } from '#shared/contract/texts/coach-call.ts'

const portraits = [
  { name: 'coach-1', alt: 'A hard hat and a spirit level' },
  { name: 'coach-2', alt: 'A tool belt on its hook' },
]

type Props = {
  coach: CoachContact
  place: number
  text: CoachCallText['choice']
  /** Empty: not configured. */
  address: string
  /** The member has just come back from this coach's calendar. */
  hasFocus: boolean
  onChoose: () => void
}

export function CoachCard({ coach, place, text, address, hasFocus, onChoose }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (hasFocus) button.current?.focus()
  }, [hasFocus])
  const portrait = portraits[place]
  return (
    <li className="sheet">
      {portrait && <Picture {...portrait} width={480} height={480} />}
      <div className="pickcoach__say">
        <h3>{coach.name}</h3>
        <p>
          <b>{text.availability[place]}</b>
          <br />
          {text.session}
        </p>
        <Button ref={button} look="line" icon="arrow" onClick={onChoose}>
          {text.action} <span className="vh">{coach.name}</span>
        </Button>
        <noscript>
          <p className="second">Choosing here needs JavaScript.</p>
          <TextAnchor isTap href={address || `mailto:${coach.email}`}>
            {address ? 'Open Direct Booking' : coach.email}
          </TextAnchor>
        </noscript>
      </div>
    </li>
  )
}
