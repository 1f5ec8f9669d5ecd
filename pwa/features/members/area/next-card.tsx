import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { UntilWeakLine } from '#pwa/features/chrome/until-weak.tsx'
import { BookLink } from '#pwa/features/members/calls/book-link.tsx'
import { whenOf } from '#pwa/features/members/calls/call-texts.ts'
import type { VideoList } from '#pwa/features/members/stored/use-member-data.ts'
import { keptVideoAddress } from '#pwa/features/members/stored/use-shelf.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { MemberCalls } from '#shared/contract/member-calls.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import {
  formatDuration,
  formatPosition,
  type VideoToContinue,
  videosByCategory,
  videoToContinue,
} from '#shared/rules/video.ts'

type Props = {
  content: NonNullable<VideoList['content']>
  calls: MemberCalls | null
  hasSignal: boolean
}

/** What to do now, before anything else on the page. */
export function NextCard({ content: { videos, progress, positions, kept }, calls, hasSignal }: Props) {
  const categories = useMemo(() => videosByCategory(videos), [videos])
  const upNext = useMemo(
    () => videoToContinue(categories, (id) => progress.get(id)?.completed === true, positions),
    [categories, progress, positions],
  )
  if (videos.length === 0) return null
  return (
    <section className="sheet sheet--pad next" aria-labelledby="next-up">
      <h2 id="next-up" className="label">
        Next
      </h2>
      <NextUp
        upNext={upNext}
        canPlay={hasSignal || (upNext !== null && keptVideoAddress(kept.get(upNext.video.id)) !== undefined)}
      />
      {calls === null ? (
        hasSignal && <UntilWeakLine skeleton={<Skeleton isShort />} />
      ) : (
        <NextCall calls={calls} hasSignal={hasSignal} />
      )}
    </section>
  )
}

/** The home screen's shortcut leads straight to the video. */
function useShortcut(slug: string | null | undefined): void {
  const isWanted = useRouterState({ select: ({ location }) => location.hash === 'next-lesson' })
  const navigate = useNavigate()
  useEffect(() => {
    if (isWanted && slug) navigate({ to: '/members/videos/$slug', params: { slug }, replace: true }).catch(reportError)
  }, [isWanted, slug, navigate])
}

/** `upNext`: null once everything's done. */
function NextUp({ upNext, canPlay }: { upNext: VideoToContinue<MemberVideo> | null; canPlay: boolean }) {
  useShortcut(upNext?.video.slug)
  if (upNext === null)
    return (
      <p className="next__what">
        <b>You’ve done every video.</b> New ones will show up here.
      </p>
    )
  const { video, seconds } = upNext
  return (
    <div className="next__part">
      <p className="next__what">
        <b>{video.title}</b>
        <span className="second">
          {video.category} · {formatDuration(video.duration)}
        </span>
      </p>
      {video.slug && (
        <ButtonLink
          to="/members/videos/$slug"
          params={{ slug: video.slug }}
          {...(canPlay
            ? { icon: 'play', hash: `t=${seconds}` }
            : { look: 'line', icon: 'nosignal', second: 'Needs signal to watch' })}
        >
          {!canPlay ? 'Read it' : seconds > 0 ? `Resume at ${formatPosition(seconds)}` : 'Watch it'}
        </ButtonLink>
      )}
    </div>
  )
}

function NextCall({ calls: { next, includedMinutes }, hasSignal }: { calls: MemberCalls; hasSignal: boolean }) {
  if (next !== null)
    return (
      <div className="next__part">
        <p className="next__what">
          <b>Your call: {whenOf(next.startsAt)}</b>
          <span className="second">
            {next.minutes} minutes with {next.coachName}
          </span>
        </p>
        <ButtonLink look="line" to="/members/$place" params={{ place: 'calls' }} icon="arrow">
          Your calls
        </ButtonLink>
      </div>
    )
  if (includedMinutes === null) return null
  return (
    <div className="next__part">
      <p className="next__what">No call booked. You get {includedMinutes} minutes with a coach every month.</p>
      <BookLink look="line" place="book-call" hasSignal={hasSignal}>
        Book a call
      </BookLink>
    </div>
  )
}
