import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { type OpenedArea, StoredGate } from '#pwa/features/members/frame/stored-gate.tsx'
import { bookTitles } from '#pwa/features/places/account-places.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { CoachContact } from '#shared/contract/site-content.ts'
import { catchUpText } from './call-texts.ts'
import './calls.css'

const CallPicker = lazy(() => loadFile(() => import('#pwa/features/calendar/call-picker.tsx')))

type Place = keyof typeof bookTitles

/** A member books a call without leaving their own pages. */
export default function BookPage({ place }: { place: Place }) {
  return (
    <StoredGate
      page="calls"
      title={bookTitles[place]}
      returnTo={`/members/${place}`}
      skeleton={<Skeleton size="block" />}
      Page={pages[place]}
    />
  )
}

const pages = {
  'book-call': (area: OpenedArea) => <OpenBooking {...area} place="book-call" />,
  'catch-up': (area: OpenedArea) => <OpenBooking {...area} place="catch-up" />,
}

function OpenBooking({ place, onLogout }: OpenedArea & { place: Place }) {
  const { coaches, calls, links } = useSiteContent()
  const kind = place === 'book-call' ? 'coaching' : 'catch-up'
  const outside = place === 'book-call' ? links.coachCalls : links.catchUps
  const [chosen, setChosen] = useState<CoachContact | null>(null)
  return (
    <div className="wrap account calls">
      <nav className="account__back" aria-label="Account">
        <TextLink isTap to="/members/$place" params={{ place: 'calls' }}>
          Your calls
        </TextLink>
        <LogoutLink onLogout={onLogout} />
      </nav>
      <h1 className="account__title">{bookTitles[place]}</h1>
      {kind === 'catch-up' && <p>{catchUpText}</p>}
      {chosen ? (
        <Times kind={kind} coach={chosen} onBack={() => setChosen(null)} />
      ) : (
        <section className="calls__part" aria-labelledby="coach">
          <h2 id="coach" className="panel__title">
            Who do you want to talk to?
          </h2>
          <div className="acts">
            {coaches.map((coach, at) => (
              <Coach
                key={coach.id}
                coach={coach}
                address={outside[at] ?? ''}
                hasTimes={calls[kind]?.includes(coach.id) === true}
                onChoose={() => setChosen(coach)}
              />
            ))}
          </div>
        </section>
      )}
    </div>
  )
}

type CoachProps = { coach: CoachContact; address: string; hasTimes: boolean; onChoose: () => void }

/** A coach with a calendar elsewhere is booked there; one without any is written to. */
function Coach({ coach: { name, email }, address, hasTimes, onChoose }: CoachProps) {
  if (address)
    return (
      <ButtonAnchor look="line" icon="ext" href={address} target="_blank" rel="noreferrer">
        {name}
      </ButtonAnchor>
    )
  return hasTimes ? (
    <Button look="line" icon="arrow" onClick={onChoose}>
      {name}
    </Button>
  ) : (
    <ButtonAnchor look="line" icon="mail" href={`mailto:${email}`}>
      Email {name} for a time
    </ButtonAnchor>
  )
}

type TimesProps = { kind: 'coaching' | 'catch-up'; coach: CoachContact; onBack: () => void }

function Times({ kind, coach, onBack }: TimesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isDone, setDone] = useState(false)
  useEffect(() => heading.current?.focus(), [])
  const another = (
    <div>
      <Button look="line" isSmall icon="back" onClick={onBack}>
        Choose Different Coach
      </Button>
    </div>
  )
  return (
    <section className="calls__part" aria-labelledby="times">
      <h2 id="times" className="panel__title" ref={heading} tabIndex={-1}>
        {coach.name}
      </h2>
      {!isDone && another}
      <Suspense fallback={<Skeleton size="block" />}>
        <CallPicker kind={kind} coach={coach.id} onDone={setDone} />
      </Suspense>
      {isDone && another}
    </section>
  )
}
