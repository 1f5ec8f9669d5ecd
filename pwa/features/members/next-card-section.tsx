import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { MemberCalls } from '#shared/contract/member-calls.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import { formatClock, formatLongDate, londonClock, weekdayName } from '#shared/rules/london.ts'
import { formatDuration, formatPosition, type NextLesson } from '#shared/rules/video.ts'

type Props = {
  /** Null once everything is done, or nothing is there yet. */
  lesson: NextLesson<MemberVideo> | null
  /** Null while this device does not know. */
  calls: MemberCalls | null
  hasSignal: boolean
}

/** Today's sheet: the lesson to go on with, and the next call. */
export const NextCard = ({ lesson, calls, hasSignal }: Props) => (
  <section className="sheet sheet--pad next" aria-labelledby="next-up">
    <h2 id="next-up" className="label">
      Next
    </h2>
    <NextUp lesson={lesson} />
    {calls === null ? hasSignal && <Skeleton isShort /> : <NextCall calls={calls} />}
  </section>
)

function NextUp({ lesson }: Pick<Props, 'lesson'>) {
  if (lesson === null)
    return (
      <p className="next__what">
        <b>Every lesson is done.</b> New ones show here.
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
          {seconds > 0 ? `Resume at ${formatPosition(seconds)}` : 'Open the lesson'}
        </ButtonLink>
      )}
    </div>
  )
}

function NextCall({ calls: { next, includedMinutes } }: { calls: MemberCalls }) {
  if (next !== null)
    return (
      <div className="next__part">
        <p className="next__what">
          <b>Your call: {whenOf(next.startsAt)}</b>
          <span className="second">
            {next.minutes} minutes with {next.coachName}
          </span>
        </p>
        <ButtonAnchor look="line" href={next.link}>
          Move or cancel
        </ButtonAnchor>
      </div>
    )
  if (includedMinutes === null) return null
  return (
    <p className="next__what">
      No call is booked. {includedMinutes} minutes with a coach are part of your membership.{' '}
      <TextLink to="/book-call">Book a call</TextLink>
    </p>
  )
}

/** By London's clocks, which it says where the device shows another time. */
function whenOf(at: string): string {
  const time = londonClock(at)
  const when = `${weekdayName(at)} ${formatLongDate(at)}, ${time}`
  return time === formatClock(at) ? when : `${when} UK time`
}
