import { lazy, Suspense, useState } from 'react'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import type { CoachCallText } from '#shared/contract/texts/coach-call.ts'
import { CoachCard } from './coach-card.tsx'

const CoachCalendar = lazy(() => import('./coach-calendar.tsx'))

type Props = {
  text: CoachCallText
  /** One address for each coach, in their order; a missing one is not configured. */
  calendars: readonly string[]
  /** Of the calendar, in pixels. */
  height: 600 | 800
}

/** Where the member is: choosing, having come back from a coach or not, or in a coach's calendar. */
type Stage = { chosen?: number; cameBackFrom?: number }

/** A member books a call: first the coach, then the time in that coach's own calendar. */
export function CoachCallPage({ text, calendars, height }: Props) {
  const { coaches } = useSiteContent()
  const [{ chosen, cameBackFrom }, go] = useState<Stage>({})
  const coach = chosen === undefined ? undefined : coaches[chosen]
  return (
    <>
      <PageHero
        tone="blade"
        heading={text.heading}
        lead={text.lead}
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
            text={text.calendar}
            address={calendars[chosen] ?? ''}
            height={height}
            onBack={() => go({ cameBackFrom: chosen })}
          />
        </Suspense>
      ) : (
        <PageSection section={text.choice}>
          <ul className="pickcoach">
            {coaches.map((coach, place) => (
              <CoachCard
                key={coach.email}
                coach={coach}
                place={place}
                text={text.choice}
                address={calendars[place] ?? ''}
                hasFocus={place === cameBackFrom}
                onChoose={() => go({ chosen: place })}
              />
            ))}
          </ul>
        </PageSection>
      )}
    </>
  )
}
