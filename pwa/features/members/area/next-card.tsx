import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { UntilWeakLine } from '#pwa/features/members/until-weak.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { MemberCalls } from '#shared/contract/member-calls.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import { formatClock, formatLongDate, londonClock, weekdayName } from '#shared/rules/london.ts'
import { formatDuration, formatPosition, type NextLesson } from '#shared/rules/video.ts'

type Props = {
  /** Null once everything's done, or there's nothing yet. */
  lesson: NextLesson<MemberVideo> | null
  calls: MemberCalls | null
  hasSignal: boolean
}

export const NextCard = ({ lesson, calls, hasSignal }: Props) => (
  <section className="sheet sheet--pad next" aria-labelledby="next-up">
    <h2 id="next-up" className="label">
      Next
    </h2>
    <NextUp lesson={lesson} />
    {calls === null ? hasSignal && <UntilWeakLine skeleton={<Skeleton isShort />} /> : <NextCall calls={calls} />}
  </section>
)

/** The home screen's shortcut leads straight to the lesson. */
function useShortcut(slug: string | null | undefined): void {
  const isWanted = useRouterState({ select: ({ location }) => location.hash === 'next-lesson' })
  const navigate = useNavigate()
  useEffect(() => {
    if (isWanted && slug) navigate({ to: '/members/videos/$slug', params: { slug }, replace: true }).catch(reportError)
  }, [isWanted, slug, navigate])
}

function NextUp({ lesson }: Pick<Props, 'lesson'>) {
  useShortcut(lesson?.video.slug)
  if (lesson === null)
    return (
      <p className="next__what">
        <b>You’ve done every video.</b> New ones will show up here.
      </p>
    )
  const { video, seconds } = lesson
  return (
    <div className="next__part">
      <p className="next__what">
        <b>{video.title}</b>
        <span className="second">
          {video.category} · {formatDuration(video.duration)}
        </span>
      </p>
      {video.slug && (
        <ButtonLink to="/members/videos/$slug" params={{ slug: video.slug }} icon="play">
          {seconds > 0 ? `Resume at ${formatPosition(seconds)}` : 'Watch it'}
        </ButtonLink>
      )}
    </div>
  )
}

const callsLink = { to: '/members/$place', params: { place: 'calls' } } as const

function NextCall({ calls: { next, includedMinutes, calls } }: { calls: MemberCalls }) {
  if (next !== null)
    return (
      <div className="next__part">
        <p className="next__what">
          <b>Your call: {whenOf(next.startsAt)}</b>
          <span className="second">
            {next.minutes} minutes with {next.coachName}
          </span>
        </p>
        <ButtonLink look="line" {...callsLink} icon="arrow">
          Your calls
        </ButtonLink>
      </div>
    )
  const own = <TextLink {...callsLink}>Your calls</TextLink>
  if (includedMinutes === null) return calls.length > 0 ? <p className="next__what">{own}</p> : null
  return (
    <p className="next__what">
      No call booked. You get {includedMinutes} minutes with a coach every month.{' '}
      <TextLink to="/book-call">Book a call</TextLink> {own}
    </p>
  )
}

/** London time, and it says so if the device shows another. */
function whenOf(at: string): string {
  const time = londonClock(at)
  const when = `${weekdayName(at)} ${formatLongDate(at)}, ${time}`
  return time === formatClock(at) ? when : `${when} UK time`
}
