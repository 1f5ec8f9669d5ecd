import { type MouseEvent, memo, type ReactNode, Suspense } from 'react'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import { Icon } from '#pwa/ui/icon.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { formatDuration, videoAddress } from '#shared/rules/video.ts'
import '#pwa/ui/styles/row.css'

const loadKeepRow = () => loadFile(() => import('#pwa/features/members/shelf/keep-row.tsx'))
const KeepRow = lazyExtra(async () => ({ default: (await loadKeepRow()).KeepRow }))
const KeptState = lazyExtra(async () => ({ default: (await loadKeepRow()).KeptState }))

/** `settled`: nothing about this video is on its way to the server. */
export type TickState = 'settled' | 'pending' | 'sending' | 'refused'

type Props = {
  video: MemberVideo
  number: number
  isCompleted: boolean
  state: TickState
  refusedId?: string
  reason?: string
  /** There's signal, or the video is on this phone. */
  canPlay: boolean
  /** Of this phone's copy. */
  kept: 'whole' | 'coming' | undefined
  canKeep: boolean
  /** Added since the member's last visit. */
  isNew?: boolean
  /** What a search found that's said in it. */
  said?: ReactNode
  onWatch: (video: MemberVideo) => void
  onOpen: (event: MouseEvent<HTMLAnchorElement>) => void
  onTick: (videoId: string, completed: boolean) => void
  onRetry: (refusedId: string) => void
}

const rowClass: Record<Exclude<TickState, 'settled'>, string> = {
  pending: 'row--wait',
  sending: 'row--wait',
  refused: 'row--bad',
}

/** One video in its category. Its props are plain values, so that a tick only re-renders this row. */
export const VideoRow = memo(
  ({ video, number, isCompleted, state, reason, canPlay, kept, canKeep, isNew, said, ...acts }: Props) => (
    <li className={classNames('row', state === 'settled' ? isCompleted && 'row--done' : rowClass[state])}>
      <span className="row__no" aria-hidden="true">
        {number}
      </span>
      <div className="row__what">
        <h4>
          {video.slug ? (
            <a href={videoAddress(video)} onClick={acts.onOpen}>
              {video.title}
            </a>
          ) : (
            video.title
          )}
        </h4>
        <p className="row__meta">
          <span>{formatDuration(video.duration)}</span>{' '}
          <TickStatus isCompleted={isCompleted} state={state} reason={reason} />
          {isNew && <Badge>New</Badge>}
          {kept === 'whole' && <Badge icon="down">On this phone</Badge>}
          {kept === 'coming' && (
            <Suspense>
              <KeptState videoId={video.id} />
            </Suspense>
          )}
        </p>
        {video.description && <p className="second">{video.description}</p>}
        {said}
      </div>
      {canKeep && (
        <Suspense>
          <KeepRow video={video} />
        </Suspense>
      )}
      <div className="row__acts">
        {canPlay ? (
          <button
            className="act"
            type="button"
            aria-haspopup="dialog"
            aria-label={`Watch: ${video.title}`}
            onClick={() => acts.onWatch(video)}
          >
            <Icon name="play" />
            Watch
          </button>
        ) : (
          <span className="act act--nosignal" aria-disabled="true">
            Needs signal
          </span>
        )}
        <RowTick video={video} isCompleted={isCompleted} state={state} {...acts} />
      </div>
    </li>
  ),
)

function TickStatus({ isCompleted, state, reason }: Pick<Props, 'isCompleted' | 'state' | 'reason'>) {
  if (state === 'refused')
    return (
      <>
        <b>Not saved.</b> {reason}
      </>
    )
  return (
    <>
      {isCompleted ? <b>Completed</b> : 'Not completed'}
      {state !== 'settled' && <Badge tone="wait">{state === 'sending' ? 'Sending' : 'Waiting to send'}</Badge>}
    </>
  )
}

type TickProps = Pick<Props, 'video' | 'isCompleted' | 'state' | 'refusedId' | 'onTick' | 'onRetry'>

/** Why an owner viewing as the member can't tick anything. */
export const readOnlyReason = 'You’re viewing as a member, so you can’t tick anything.'

/** Named by what it does to which video. With `aria-pressed` it would read as "Mark Incomplete, pressed". */
function RowTick({ video, isCompleted, state, refusedId, onTick, onRetry }: TickProps) {
  const isReadOnly = useIsReadOnly()
  if (state === 'refused' && refusedId !== undefined)
    return (
      <button className="act" type="button" aria-label={`Try again: ${video.title}`} onClick={() => onRetry(refusedId)}>
        <span className="box">
          <Icon name="cross" />
        </span>
        Try again
      </button>
    )
  const action = isCompleted ? 'Mark Incomplete' : 'Mark Complete'
  return (
    <button
      className={classNames('act', isCompleted && 'act--done')}
      type="button"
      disabled={isReadOnly}
      title={isReadOnly ? readOnlyReason : undefined}
      aria-label={`${action}: ${video.title}`}
      onClick={() => onTick(video.id, !isCompleted)}
    >
      <span className="box" />
      {action}
    </button>
  )
}
