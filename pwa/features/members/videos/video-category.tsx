import { type MouseEvent, memo, type ReactNode, useCallback } from 'react'
import type { ProgressByVideo } from '#pwa/features/members/stored/use-member-data.ts'
import { type KeptMarks, keptVideoAddress } from '#pwa/features/members/stored/use-shelf.ts'
import type { RefusedTick } from '#pwa/sync/progress/status.ts'
import { Category } from '#pwa/ui/category.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import type { VideoCategory } from '#shared/rules/video.ts'
import { countCompleted, tickFailureText } from './use-video-progress.ts'
import { VideoRow } from './video-row.tsx'

/** What every row of the list needs. A tick only changes `progress` and `refused`. */
export type VideoRowContext = {
  progress: ProgressByVideo
  /** The videos added since the member's last visit. */
  newIds: ReadonlySet<string>
  refused: readonly RefusedTick[]
  kept: KeptMarks
  hasSignal: boolean
  onWatch: (video: MemberVideo) => void
  onOpen: (event: MouseEvent<HTMLAnchorElement>) => void
  onTick: (videoId: string, completed: boolean) => void
  onRetry: (refusedId: string) => void
}

type Props = {
  category: VideoCategory<MemberVideo>
  context: VideoRowContext
  /** Lets the member open and close the category; without it, it's always open. */
  choice?: { isOpen: boolean; choose: (category: string, isOpen: boolean) => void }
  /** Below its rows; it stays the same between renders. */
  foot?: (category: VideoCategory<MemberVideo>) => ReactNode
}

function Section({ category, context, choice, foot }: Props) {
  const { name, isListed, videos, minutes } = category
  const isOpen = choice?.isOpen ?? true
  const choose = choice?.choose
  const onToggle = useCallback(
    // The browser also fires the event when the page itself has opened the category.
    (nowOpen: boolean) => nowOpen !== isOpen && choose?.(name, nowOpen),
    [choose, name, isOpen],
  )
  return (
    <Category
      title={isListed ? name : name.toUpperCase()}
      count={videos.length}
      minutes={minutes}
      done={countCompleted(videos, context.progress)}
      isOther={!isListed}
      isOpen={isOpen}
      onToggle={choose && onToggle}
      foot={isOpen && foot?.(category)}
    >
      {isOpen &&
        videos.map((video, index) => <ListedVideo key={video.id} number={index + 1} video={video} context={context} />)}
    </Category>
  )
}

const contextKeys = ['newIds', 'refused', 'hasSignal', 'onWatch', 'onOpen', 'onTick', 'onRetry'] as const

const areEqualProps = (before: Props, now: Props): boolean =>
  before.category === now.category &&
  before.choice?.isOpen === now.choice?.isOpen &&
  before.choice?.choose === now.choice?.choose &&
  before.foot === now.foot &&
  contextKeys.every((key) => before.context[key] === now.context[key]) &&
  now.category.videos.every(
    ({ id }) =>
      before.context.progress.get(id) === now.context.progress.get(id) &&
      before.context.kept.get(id) === now.context.kept.get(id),
  )

/** A tick only re-renders its own category. */
export const VideoCategorySection = memo(Section, areEqualProps)

type RowProps = { video: MemberVideo; number: number; context: VideoRowContext; said?: ReactNode }

export function ListedVideo({ video, number, context, said }: RowProps) {
  const { progress, newIds, refused, kept, hasSignal, onWatch, onOpen, onTick, onRetry } = context
  const mark = kept.get(video.id)
  const { completed = false, tick } = progress.get(video.id) ?? {}
  const refusal = tick?.kind === 'refused' ? refused.find(({ id }) => id === tick.id) : undefined
  const reason = refusal && `${tickFailureText(refusal.completed)}. ${refusal.message}`
  return (
    <VideoRow
      video={video}
      number={number}
      isCompleted={completed}
      state={tick === undefined || tick.kind === 'sent' ? 'settled' : tick.kind}
      refusedId={tick?.kind === 'refused' ? tick.id : undefined}
      reason={reason}
      canPlay={hasSignal || keptVideoAddress(mark) !== undefined}
      kept={mark && (mark.whole ? 'whole' : 'coming')}
      canKeep={hasSignal && !mark}
      isNew={newIds.has(video.id)}
      said={said}
      onWatch={onWatch}
      onOpen={onOpen}
      onTick={onTick}
      onRetry={onRetry}
    />
  )
}
