import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { Tick, withOrWithout } from '#pwa/features/admin/list/list-table.tsx'
import type { Chosen } from '#pwa/features/admin/list/use-list.ts'
import { type TierName, useTierNames } from '#pwa/features/admin/money/tiers/use-tier-names.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import { formatDuration } from '#shared/rules/video.ts'
import { useVideoOrder, type VideoOrder } from './use-video-order.ts'
import { filesLabel, isShown, stateOf, textsLabel, tiersOf, videoTypeLabels } from './video-texts.ts'

export type VideoDialog = 'edit' | 'files' | 'viewers' | 'remove' | 'watch'

type Props = {
  name: string
  videos: readonly AdminVideo[]
  /** False during a search, which hides rows in between. */
  isOrderable: boolean
  onOpen: (dialog: VideoDialog, video: AdminVideo) => void
  chosen: Chosen<AdminVideo>
}

/** Includes drafts, in the members’ order. */
export function VideoCategorySection({ name, videos, isOrderable, onOpen, chosen }: Props) {
  const order = useVideoOrder(videos)
  const tierName = useTierNames()
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<{ id: string; place: number } | null>(null)
  const place = order.videos.findIndex(({ id }) => id === order.heldId)
  return (
    <section className="vids" aria-label={name}>
      <h3>{name}</h3>
      <p className="vh" aria-live="assertive">
        {place >= 0 &&
          `Place ${place + 1} of ${order.videos.length}. Arrow keys move it, Space sets it down, Escape puts it back.`}
      </p>
      <OrderProblem order={order} />
      {videos.length === 0 ? (
        <p className="vids__none">No videos in this category yet</p>
      ) : (
        <ol className="plain" ref={list}>
          {order.videos.map((video, at) => (
            <li
              key={video.id}
              className={classNames(
                'vid',
                order.heldId === video.id && 'vid--held',
                drag?.place === at && 'vid--before',
                drag?.place === at + 1 && at === order.videos.length - 1 && 'vid--after',
              )}
            >
              <Tick
                label={`Choose ${video.title}`}
                isTicked={chosen.has(video.id)}
                onTick={(isTicked) => chosen.set(withOrWithout(chosen.rows.map(idOf), video.id, isTicked))}
              />
              {isOrderable && <Handle video={video} order={order} list={list} drag={drag} onDrag={setDrag} />}
              <VideoSummary video={video} tierName={tierName} />
              <VideoActions video={video} onOpen={onOpen} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const idOf = ({ id }: AdminVideo) => id

const VideoActions = ({ video, onOpen }: { video: AdminVideo; onOpen: Props['onOpen'] }) => (
  <div className="acts">
    <IconButton
      icon="play"
      label={`Watch ${video.title}`}
      aria-haspopup="dialog"
      onClick={() => onOpen('watch', video)}
    />
    <IconButton
      icon="down"
      label={`Files and downloads for ${video.title}`}
      aria-haspopup="dialog"
      onClick={() => onOpen('files', video)}
    />
    <IconButton
      icon="person"
      label={`Who has seen ${video.title}`}
      aria-haspopup="dialog"
      onClick={() => onOpen('viewers', video)}
    />
    <IconButton
      icon="pencil"
      label={`Edit ${video.title}`}
      aria-haspopup="dialog"
      onClick={() => onOpen('edit', video)}
    />
    <IconButton
      icon="bin"
      className="iconbtn--bad"
      label={`Delete ${video.title}`}
      aria-haspopup="dialog"
      onClick={() => onOpen('remove', video)}
    />
  </div>
)

const VideoSummary = ({ video, tierName }: { video: AdminVideo; tierName: TierName }) => (
  <div className="vid__what">
    <h4>{video.title}</h4>
    {video.description && <p className="second">{video.description}</p>}
    <p className="vid__meta">
      <Badge tone={isShown(video) ? 'ok' : 'open'}>{stateOf(video)}</Badge>
      <span>Order {video.orderIndex}</span>
      <span>{videoTypeLabels[video.videoType]}</span>
      <span>{formatDuration(video.duration)}</span>
      <span>{tiersOf(video, tierName)}</span>
      {video.texts && video.texts.length > 0 && <span>{textsLabel(video)}</span>}
      {filesLabel(video) && <span>{filesLabel(video)}</span>}
    </p>
  </div>
)

type Drag = { id: string; place: number } | null
type HandleProps = {
  video: AdminVideo
  order: VideoOrder
  list: React.RefObject<HTMLOListElement | null>
  drag: Drag
  onDrag: (drag: Drag) => void
}

/** Drag it, or pick it up with Space and move it with the arrow keys. */
function Handle({ video, order, list, drag, onDrag }: HandleProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isHeld = order.heldId === video.id
  // Moving a row down re-inserts it, and the button loses focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each move
  useLayoutEffect(() => {
    if (isHeld) button.current?.focus()
  }, [isHeld, order.videos])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isHeld || !['ArrowUp', 'ArrowDown', 'Escape'].includes(event.key)) return
    event.preventDefault()
    if (event.key === 'Escape') order.putBack()
    else order.step(event.key === 'ArrowUp' ? -1 : 1)
  }
  const placeAt = (y: number) =>
    [...(list.current?.children ?? [])].filter((row) => {
      const { top, height } = row.getBoundingClientRect()
      return y > top + height / 2
    }).length
  const drop = () => {
    if (drag?.id !== video.id) return
    const from = order.videos.findIndex(({ id }) => id === video.id)
    order.dropAt(video.id, drag.place > from ? drag.place - 1 : drag.place)
    onDrag(null)
  }
  return (
    <button
      ref={button}
      type="button"
      className="vid__grip"
      aria-pressed={isHeld}
      aria-label={`Move ${video.title}`}
      // `disabled` would lose the focus while saving.
      aria-disabled={order.isSaving || undefined}
      onClick={({ detail }) => detail === 0 && !order.isSaving && (isHeld ? order.setDown() : order.pickUp(video.id))}
      onKeyDown={onKeyDown}
      onPointerDown={(event: PointerEvent) => {
        if (!order.isSaving) event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event: PointerEvent) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId))
          onDrag({ id: video.id, place: placeAt(event.clientY) })
      }}
      onPointerUp={drop}
      onPointerCancel={() => onDrag(null)}
    >
      <span aria-hidden="true">⠿</span>
    </button>
  )
}

/** On a conflict, shows both orders to choose from. */
function OrderProblem({ order: { problem, conflict, isSaving, saveMine, takeTheirs } }: { order: VideoOrder }) {
  if (problem) return <Banner tone="bad" role="alert" title={problem} />
  if (!conflict) return null
  return (
    <Banner
      tone="bad"
      role="alert"
      title="Someone else has changed this category since you opened it"
      action={
        <>
          <Button isSmall isBusy={isSaving} onClick={saveMine}>
            Save my order
          </Button>
          <Button isSmall look="line" onClick={takeTheirs}>
            Take theirs
          </Button>
        </>
      }
    >
      <div className="vids__both">
        <OrderList title="Yours" videos={conflict.mine} />
        <OrderList title="Theirs" videos={conflict.theirs} />
      </div>
    </Banner>
  )
}

const OrderList = ({ title, videos }: { title: string; videos: readonly AdminVideo[] }) => (
  <div>
    <h4>{title}</h4>
    <ol>
      {videos.map((video) => (
        <li key={video.id}>{video.title}</li>
      ))}
    </ol>
  </div>
)
