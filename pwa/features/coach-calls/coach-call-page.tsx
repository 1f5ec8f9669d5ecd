import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useOnline } from '#pwa/lib/use-online.ts'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { CoachContact } from '#shared/contract/site-content.ts'
import type { CoachCallText } from '#shared/contract/texts/coach-call.ts'
import type { CoachCallSearch } from './search.ts'

const CoachCalendar = lazy(() => loadFile(() => import('./coach-calendar.tsx')))
const OwnCallPage = lazy(() => loadFile(() => import('#pwa/features/calendar/own-call-page.tsx')))

type Props = {
  text: CoachCallText
  kind: 'coaching' | 'catch-up'
  /** An address for each coach, in their order; a missing one isn't configured. */
  calendars: readonly string[]
  height: 600 | 800
  search: CoachCallSearch
}

/** The member is in the chosen coach's calendar, or choosing a coach, perhaps after coming back from a calendar. */
type Stage = { chosen?: number; cameBackFrom?: number }

export function CoachCallPage(props: Props) {
  const { search } = props
  const [isOwnPage, setOwnPage] = useState(false)
  // The server sends the same page whatever the address asks for.
  useEffect(() => setOwnPage(search.call !== undefined || search.for !== undefined), [search])
  if (!isOwnPage) return <CoachChoice {...props} />
  return (
    <Suspense fallback={<p role="status">Loading…</p>}>
      <OwnCallPage search={search} />
    </Suspense>
  )
}

/** The address names the coach, so that a reload keeps the calendar open. */
function useStage(search: CoachCallSearch): [Stage, (stage: Stage) => void] {
  const { coaches } = useSiteContent()
  const navigate = useNavigate()
  const [stage, setStage] = useState<Stage>({})
  useEffect(() => {
    const index = coaches.findIndex(({ id }) => id === search.coach)
    if (index >= 0) setStage({ chosen: index })
  }, [search, coaches])
  const show = (next: Stage) => {
    setStage(next)
    const coach = next.chosen === undefined ? undefined : coaches[next.chosen]
    navigate({ to: '.', search: coach ? { coach: coach.id } : {}, replace: true, resetScroll: false }).catch(
      reportError,
    )
  }
  return [stage, show]
}

function CoachChoice({ text, kind, calendars, height, search }: Props) {
  const { coaches, calls } = useSiteContent()
  const own = calls[kind] ?? []
  const [{ chosen, cameBackFrom }, show] = useStage(search)
  const coach = chosen === undefined ? undefined : coaches[chosen]
  return (
    <>
      <PageHero
        tone="blade"
        heading={text.heading}
        lead={own.length > 0 || calendars.some(Boolean) ? text.lead : text.leadWithoutTimes}
        side={
          <div className="stack">
            <h2 className="points">{text.points.heading}</h2>
            <TickList items={text.points.list} />
          </div>
        }
      />
      {chosen !== undefined && coach ? (
        <Suspense fallback={<p role="status">Loading…</p>}>
          <CoachCalendar
            coach={coach}
            kind={kind}
            text={text.calendar}
            address={calendars[chosen] ?? ''}
            height={height}
            onBack={() => show({ cameBackFrom: chosen })}
          />
        </Suspense>
      ) : (
        <PageSection section={text.choice}>
          <ul className="pickcoach">
            {coaches.map((coach, index) => (
              <CoachCard
                key={coach.email}
                coach={coach}
                place={index}
                text={text.choice}
                longer={kind === 'coaching' && <LongerCalls session={text.choice.session} />}
                address={calendars[index] ?? ''}
                isOwn={own.includes(coach.id)}
                hasFocus={index === cameBackFrom}
                onChoose={() => show({ chosen: index })}
              />
            ))}
          </ul>
        </PageSection>
      )}
    </>
  )
}

/** The page is the same for everyone, so it names the tiers whose calls differ in length. */
function LongerCalls({ session }: { session: string }) {
  const { tiers } = useTiers()
  const others = tiers.filter(({ callDuration }) => callDuration !== null && !session.includes(String(callDuration)))
  return others.map(({ id, name, callDuration }) => (
    <span key={id}>
      {callDuration} minutes with {name}
    </span>
  ))
}

const portraits = [
  { name: 'coach-1', alt: 'A hard hat and a spirit level' },
  { name: 'coach-2', alt: 'A tool belt on its hook' },
]

type CardProps = {
  coach: CoachContact
  place: number
  text: CoachCallText['choice']
  longer: ReactNode
  /** The coach's external calendar. Without one, and without times in ours, members write to them. */
  address: string
  isOwn: boolean
  hasFocus: boolean
  onChoose: () => void
}

function CoachCard({ coach, place, text, longer, address, isOwn, hasFocus, onChoose }: CardProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (hasFocus) button.current?.focus()
  }, [hasFocus])
  const isOnline = useOnline()
  const portrait = portraits[place]
  return (
    <li className="sheet">
      {portrait && <Picture {...portrait} photograph={coach.photograph} width={480} height={480} />}
      <div className="pickcoach__say">
        <h3>{coach.name}</h3>
        <p>
          <b>{text.availability[place]}</b>
          {text.session}
          {longer}
        </p>
        {address && !isOnline ? (
          <Button look="line" icon="nosignal" second="Needs signal" disabled>
            {text.action} <span className="vh">{coach.name}</span>
          </Button>
        ) : address || isOwn ? (
          <Button ref={button} look="line" icon="arrow" onClick={onChoose}>
            {text.action} <span className="vh">{coach.name}</span>
          </Button>
        ) : (
          <ButtonAnchor look="line" icon="arrow" href={`mailto:${coach.email}`}>
            Email {coach.name} for a time
          </ButtonAnchor>
        )}
        <noscript>
          <p className="second">You need JavaScript to choose here.</p>
          <TextAnchor isTap href={address || `mailto:${coach.email}`}>
            {address ? 'Open Direct Booking' : coach.email}
          </TextAnchor>
        </noscript>
      </div>
    </li>
  )
}
