import { useRouterState } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { type ProgressByVideo, useStable } from '#pwa/features/members/stored/use-member-data.ts'
import { keptVideoAddress } from '#pwa/features/members/stored/use-shelf.ts'
import { TickButton } from '#pwa/features/members/videos/tick-button.tsx'
import { tickFailureText, useRefusedToasts, useVideoProgress } from '#pwa/features/members/videos/use-video-progress.ts'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { watchDatabase } from '#pwa/sync/database.ts'
import { type LiveSyncState, useEngine } from '#pwa/sync/hooks.ts'
import type { KeptMark, ShownProgress } from '#pwa/sync/progress/status.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink, type ButtonLook } from '#pwa/ui/button.tsx'
import type { MemberVideo, VideoText } from '#shared/contract/video.ts'
import { formatDuration, positionInCategory, type VideoCategory } from '#shared/rules/video.ts'
import { Playback, type WantedSecond } from './playback.tsx'
import { VideoHandouts, VideoTexts } from './video-words.tsx'

const AskAbout = lazyExtra(() => import('#pwa/features/members/questions/ask-about.tsx'))
const MakeFromVideo = lazyExtra(() => import('#pwa/features/members/commitments/make-from-video.tsx'))
const KeepSection = lazyExtra(() => import('#pwa/features/members/shelf/keep-section.tsx'))
const PublishedQuestions = lazyExtra(() => import('./published-questions.tsx'))

type Props = {
  video: MemberVideo
  categories: readonly VideoCategory<MemberVideo>[]
  progress: ProgressByVideo
  stoppedAt: number
  kept: KeptMark | undefined
  sync: LiveSyncState
}

export function VideoSection({ video, categories, progress, stoppedAt, kept, sync }: Props) {
  const text = useVideoText(video.id)
  const { tick } = useVideoProgress(sync)
  useRefusedToasts(sync)
  const { number, count, previous, next } = positionInCategory(categories, video)
  const shown = progress.get(video.id)
  const isCompleted = shown?.completed === true
  const hasSignal = sync.isOnline
  const setCompleted = (completed: boolean) => void tick(video.id, completed)
  const [wanted, setWanted] = useState(useSecondInAddress())
  const [isNearlyDone, setNearlyDone] = useState(false)
  const standsAt = useRef(stoppedAt)
  const stand = useCallback((seconds: number) => {
    standsAt.current = seconds
  }, [])
  const goTo = useCallback((seconds: number) => setWanted({ seconds }), [])
  return (
    <article className="lesson">
      <header className="lesson__head">
        <p className="label">
          {video.category} · {number} of {count}
        </p>
        <h1>{video.title}</h1>
        <p className="row__meta">
          <span>{formatDuration(video.duration)}</span> <VideoState shown={shown} />
        </p>
      </header>
      <Playback
        video={video}
        previous={previous}
        next={next}
        text={text}
        stoppedAt={stoppedAt}
        isCompleted={isCompleted}
        hasSignal={hasSignal}
        kept={kept}
        wanted={wanted}
        onNearlyDone={() => setNearlyDone(true)}
        onStand={stand}
      />
      <RefusedTick shown={shown} />
      <div className="lesson__acts">
        <TickButton
          isCompleted={isCompleted}
          look={isNearlyDone && !isCompleted ? 'ink' : 'line'}
          onTick={() => setCompleted(!isCompleted)}
        />
        {isCompleted && next?.slug && <NextLink slug={next.slug} title={next.title} look="ink" />}
        <Suspense>
          <AskAbout videoId={video.id} standsAt={standsAt} />
          {video.slug && <MakeFromVideo video={{ id: video.id, slug: video.slug, title: video.title }} />}
          <KeepSection video={video} hasSignal={hasSignal} hasDownloads={Boolean(text?.handouts?.length)} />
        </Suspense>
      </div>
      {video.description && <p className="lesson__lead">{video.description}</p>}
      <VideoReading
        videoId={video.id}
        text={text}
        hasSignal={hasSignal}
        onGoTo={hasSignal || keptVideoAddress(kept) ? goTo : undefined}
      />
      <Suspense>
        <PublishedQuestions videoId={video.id} hasSignal={hasSignal} />
      </Suspense>
      <Neighbours previous={previous} next={isCompleted ? null : next} />
    </article>
  )
}

function VideoState({ shown }: { shown: ShownProgress | undefined }) {
  const waits = shown?.tick.kind === 'pending' || shown?.tick.kind === 'sending'
  return (
    <>
      {shown?.completed ? <b>Completed</b> : 'Not completed'}
      {waits && <Badge tone="wait">{shown?.tick.kind === 'sending' ? 'Sending' : 'Waiting to send'}</Badge>}
    </>
  )
}

function RefusedTick({ shown }: { shown: ShownProgress | undefined }) {
  const engine = useEngine()
  if (shown?.tick.kind !== 'refused') return null
  const { id, message } = shown.tick
  return (
    <Banner
      tone="bad"
      title={tickFailureText(!shown.completed)}
      action={
        <Button isSmall look="line" icon="sync" onClick={() => engine.retryRefused(id).catch(reportError)}>
          Try again
        </Button>
      }
    >
      {message}
    </Banner>
  )
}

/** Search leads to a second: `#t=135`. */
function useSecondInAddress(): WantedSecond | null {
  const seconds = useRouterState({ select: ({ location }) => /^t=(\d{1,6})$/.exec(location.hash)?.[1] })
  return seconds === undefined ? null : { seconds: Number(seconds) }
}

type ReadingProps = {
  videoId: string
  text: VideoText | null | undefined
  hasSignal: boolean
  onGoTo: ((seconds: number) => void) | undefined
}

/** Handouts, notes and transcript, as this device has them. */
function VideoReading({ videoId, text, hasSignal, onGoTo }: ReadingProps) {
  if (!text)
    return text === null && !hasSignal ? (
      <p className="second lesson__text">
        Open this video once while you’re online, and you can read its notes and transcript any time.
      </p>
    ) : null
  return (
    <>
      {text.handouts && <VideoHandouts videoId={videoId} handouts={text.handouts} hasSignal={hasSignal} />}
      <VideoTexts {...text} onGoTo={onGoTo} />
    </>
  )
}

type NeighbourProps = { previous: MemberVideo | null; next: MemberVideo | null }

const Neighbours = ({ previous, next }: NeighbourProps) => (
  <nav className="lesson__beside" aria-label="Previous and next video">
    {previous?.slug && (
      <ButtonLink to="/members/videos/$slug" params={{ slug: previous.slug }} look="line" icon="back">
        Previous: {previous.title}
      </ButtonLink>
    )}
    {next?.slug && <NextLink slug={next.slug} title={next.title} look="line" />}
  </nav>
)

const NextLink = ({ slug, title, look }: { slug: string; title: string; look: ButtonLook }) => (
  <ButtonLink to="/members/videos/$slug" params={{ slug }} look={look} icon="arrow">
    Next: {title}
  </ButtonLink>
)

/** This device's texts for a video: undefined until we've looked, null if there are none. */
function useVideoText(videoId: string): VideoText | null | undefined {
  const { store } = useEngine()
  const [text, setText] = useState<VideoText | null>()
  useEffect(
    () =>
      watchDatabase(store.dexie, () => store.texts.get(videoId), {
        changed: (row) => setText(row ?? null),
        failed: reportError,
      }),
    [store, videoId],
  )
  return useStable(text)
}
