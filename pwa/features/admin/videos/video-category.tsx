import { useRef, useState } from 'react'
import { Tick, withOrWithout } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu } from '#pwa/features/admin/kit/list/row-menu.tsx'
import type { Chosen } from '#pwa/features/admin/kit/list/use-list.ts'
import { type TierList, useTierList } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink, IconButton } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import { TextLink } from '#pwa/ui/link.tsx'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import { formatDuration } from '#shared/rules/video.ts'
import { type Drag, Grip, HeldPosition } from './grip.tsx'
import { useVideoOrder, type VideoOrder } from './use-video-order.ts'
import { filesLabel, isShown, orderOf, stateOf, textsLabel, tiersOf, videoTypeLabels } from './video-texts.ts'

export type VideoDialog = 'viewers' | 'remove' | 'watch'

type Props = {
  name: string
  videos: readonly AdminVideo[]
  /** False during a search, which hides rows in between. */
  isOrderable: boolean
  onOpen: (dialog: VideoDialog, video: AdminVideo) => void
  chosen: Chosen<AdminVideo>
  /** The one just saved, which is in sight. */
  savedId: string | undefined
}

/** Includes drafts, in the members’ order. */
export function VideoCategorySection({ name, videos, isOrderable, onOpen, chosen, savedId }: Props) {
  const order = useVideoOrder(videos)
  const { ids, heldId } = order.moves
  const tierList = useTierList()
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag>(null)
  const [isWhole, setWhole] = useState(false)
  const hasSaved = videos.some(({ id }) => id === savedId)
  const isFolded = !isWhole && isOrderable && !hasSaved && videos.length > 1
  const shown = ids.flatMap((id) => videos.find((video) => video.id === id) ?? [])
  return (
    <section className={classNames('vids', isFolded && 'folded')} aria-label={name}>
      <h3>{name}</h3>
      <HeldPosition moves={order.moves} />
      <OrderProblem order={order} />
      {videos.length === 0 ? (
        <p className="vids__none">No videos in this category yet</p>
      ) : (
        <ol className="plain" ref={list}>
          {shown.map((video, at) => (
            <li
              key={video.id}
              id={rowIdOf(video.id)}
              className={classNames(
                'vid',
                heldId === video.id && 'vid--held',
                drag?.position === at && 'vid--before',
                drag?.position === at + 1 && at === shown.length - 1 && 'vid--after',
              )}
            >
              <Tick
                label={`Choose ${video.title}`}
                isTicked={chosen.has(video.id)}
                onTick={(isTicked) => chosen.set(withOrWithout(chosen.rows.map(idOf), video.id, isTicked))}
              />
              {isOrderable && (
                <Grip
                  id={video.id}
                  title={video.title}
                  moves={order.moves}
                  isSaving={order.isSaving}
                  list={list}
                  drag={drag}
                  onDrag={setDrag}
                />
              )}
              <VideoSummary video={video} tierList={tierList} />
              <VideoActions video={video} onOpen={onOpen} />
            </li>
          ))}
        </ol>
      )}
      {isFolded && (
        <Button look="line" isSmall className="folded__all" onClick={() => setWhole(true)}>
          Show all {videos.length}
        </Button>
      )}
    </section>
  )
}

const idOf = ({ id }: AdminVideo) => id

export const rowIdOf = (id: string) => `video-${id}`

/** Keeps the list’s search in the address, so that going back shows the same rows. */
export const toVideo =
  (video: string) =>
  <Search extends object>(list: Search): Search => ({ ...list, lesson: video })

const VideoActions = ({ video, onOpen }: { video: AdminVideo; onOpen: Props['onOpen'] }) => (
  <div className="acts">
    <IconButton
      icon="play"
      label={`Watch ${video.title}`}
      aria-haspopup="dialog"
      onClick={() => onOpen('watch', video)}
    />
    <RowMenu
      name={video.title}
      items={[
        { label: 'Who has seen it', onPress: () => onOpen('viewers', video) },
        { label: 'Delete', onPress: () => onOpen('remove', video) },
      ]}
    >
      <ButtonLink look="line" to="." search={toVideo(video.id)}>
        Edit
      </ButtonLink>
    </RowMenu>
  </div>
)

const VideoSummary = ({ video, tierList }: { video: AdminVideo; tierList: TierList }) => (
  <div className="vid__what">
    <h4>
      <TextLink to="." search={toVideo(video.id)}>
        {video.title}
      </TextLink>
    </h4>
    {video.description && <p className="second">{video.description}</p>}
    <p className="vid__meta">
      <Badge tone={isShown(video) ? 'ok' : 'open'}>{stateOf(video)}</Badge>
      <span>Order {orderOf(video)}</span>
      {video.videoId !== '' && !video.files?.length && <span>{videoTypeLabels[video.videoType]}</span>}
      <span>{formatDuration(video.duration)}</span>
      <span>{tiersOf(video, tierList)}</span>
      {video.texts && video.texts.length > 0 && <span>{textsLabel(video)}</span>}
      {filesLabel(video) && <span>{filesLabel(video)}</span>}
    </p>
  </div>
)

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
