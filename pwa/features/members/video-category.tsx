import { memo, useCallback } from 'react'
import type { RefusedTick } from '#pwa/sync/progress/status.ts'
import { Category } from '#pwa/ui/category.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import type { VideoCategory } from '#shared/rules/video.ts'
import { countCompleted, type ProgressByVideo, tickFailure } from './shelf.ts'
import { VideoLine } from './video-line.tsx'

/** What every row of the list needs; none of it changes with a tick but `progress` and `refused`. */
export type Shelf = {
  progress: ProgressByVideo
  refused: readonly RefusedTick[]
  hasSignal: boolean
  onWatch: (video: MemberVideo) => void
  onTick: (videoId: string, completed: boolean) => void
  onRetry: (refusedId: string) => void
}

type Props = {
  category: VideoCategory<MemberVideo>
  shelf: Shelf
  /** Stands open or closed at the member's choice; without it, it is always open. */
  choice?: { isOpen: boolean; choose: (category: string, isOpen: boolean) => void }
}

/** A category of the members' videos. The rows of a closed one are not drawn. */
function Section({ category: { name, isListed, videos, minutes }, shelf, choice }: Props) {
  const isOpen = choice?.isOpen ?? true
  const choose = choice?.choose
  const onToggle = useCallback(
    // The browser also reports what the page itself has opened.
    (nowOpen: boolean) => nowOpen !== isOpen && choose?.(name, nowOpen),
    [choose, name, isOpen],
  )
  return (
    <Category
      title={isListed ? name : name.toUpperCase()}
      count={videos.length}
      minutes={minutes}
      done={countCompleted(videos, shelf.progress)}
      isOther={!isListed}
      isOpen={isOpen}
      onToggle={choose && onToggle}
    >
      {isOpen && videos.map((video, place) => <Line key={video.id} number={place + 1} video={video} shelf={shelf} />)}
    </Category>
  )
}

const shelfKeys = ['refused', 'hasSignal', 'onWatch', 'onTick', 'onRetry'] as const

const showSame = (before: Props, now: Props): boolean =>
  before.category === now.category &&
  before.choice?.isOpen === now.choice?.isOpen &&
  before.choice?.choose === now.choice?.choose &&
  shelfKeys.every((key) => before.shelf[key] === now.shelf[key]) &&
  now.category.videos.every(({ id }) => before.shelf.progress.get(id) === now.shelf.progress.get(id))

/** A tick draws its own category again and no other. */
export const VideoCategorySection = memo(Section, showSame)

/** Takes from the shelf what one row shows. */
function Line({ video, number, shelf }: { video: MemberVideo; number: number; shelf: Shelf }) {
  const { progress, refused, hasSignal, onWatch, onTick, onRetry } = shelf
  const { completed = false, tick } = progress.get(video.id) ?? {}
  const refusal = tick?.kind === 'refused' ? refused.find(({ id }) => id === tick.id) : undefined
  const reason = refusal && `${tickFailure(refusal.completed)}. ${refusal.message}`
  return (
    <VideoLine
      video={video}
      number={number}
      isCompleted={completed}
      state={tick === undefined || tick.kind === 'sent' ? 'settled' : tick.kind}
      refusedId={tick?.kind === 'refused' ? tick.id : undefined}
      reason={reason}
      hasSignal={hasSignal}
      onWatch={onWatch}
      onTick={onTick}
      onRetry={onRetry}
    />
  )
}
