import { useState } from 'react'
import { useShelf } from '#pwa/features/members/stored/use-shelf.ts'
import type { KeptRow, ShelfPause } from '#pwa/sync/progress/kept.ts'
import type { ShelfView } from '#pwa/sync/progress/status.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink, IconButton } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { formatDuration } from '#shared/rules/video.ts'
import { formatBytes } from '#shared/values/media.ts'
import { Delete } from './delete-kept.tsx'
import { FetchNow } from './fetch-now.tsx'
import { KeptProgress } from './kept-progress.tsx'
import { NotHere } from './not-here.tsx'
import RemovedNotice from './removed-notice.tsx'
import { ShelfChoices } from './shelf-choices.tsx'
import { pauseTexts, videosText } from './shelf-texts.ts'
import { whyNotHere } from './use-keep.tsx'
import { useStorage } from './use-storage.ts'

type Props = { view: ShelfView; videos: readonly MemberVideo[] }

/** What's on this phone and on its way, and how the member wants it. */
export function KeptList({ view, videos }: Props) {
  const { rows, shelf } = view
  const reason = whyNotHere()
  const [isEditing, setEditing] = useState(false)
  const comesNext = rows.find(({ coming }) => coming !== null)
  return (
    <>
      <RemovedNotice videos={videos} />
      {reason && <NotHere reason={reason} />}
      {comesNext && shelf.pause && <PauseNotice pause={shelf.pause} />}
      {rows.length === 0 ? (
        <EmptyState
          title="No videos on this phone"
          level={2}
          action={
            <ButtonLink to="/members" icon="arrow">
              All videos
            </ButtonLink>
          }
        >
          Press Keep beside a video. It’ll play where there’s no signal.
        </EmptyState>
      ) : (
        <section className="sheet account__sheet" aria-labelledby="kept">
          <h2 className="panel__title" id="kept">
            {summaryOf(rows)}
          </h2>
          <SpaceUsed key={rows.filter(({ whole }) => whole !== null).length} />
          <ol className="plain">
            {rows.map((row) => (
              <KeptVideo
                key={row.videoId}
                row={row}
                isEditing={isEditing}
                video={videos.find(({ id }) => id === row.videoId)}
                pause={shelf.pause}
                isFirst={row === comesNext}
              />
            ))}
          </ol>
          <div className="acts">
            <Button look="line" isSmall aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
              {isEditing ? 'Done' : 'Edit'}
            </Button>
            {isEditing && <DeleteAll count={rows.length} />}
          </div>
        </section>
      )}
      {reason === null && <ShelfChoices view={view} />}
    </>
  )
}

function summaryOf(rows: readonly KeptRow[]): string {
  const here = rows.flatMap(({ whole }) => whole ?? [])
  const bytes = here.reduce((sum, file) => sum + file.bytes, 0)
  return here.length === rows.length
    ? `${videosText(here.length)}, ${formatBytes(bytes)}`
    : `${here.length} of ${videosText(rows.length)} on this phone`
}

/** What the browser's limit is, no browser says truly, so no sentence promises room. */
function SpaceUsed() {
  const { room } = useStorage()
  if (!room || room.usage === null) return null
  return <p className="second">{formatBytes(room.usage)} in all, with our pages and your ticks.</p>
}

const PauseNotice = ({ pause }: { pause: ShelfPause }) => (
  <Banner
    role="status"
    icon={pause === 'signal' ? 'nosignal' : undefined}
    title={pauseTexts[pause]}
    action={<FetchNow pause={pause} />}
  >
    {pauseAdvice[pause]}
  </Banner>
)

const pauseAdvice: Partial<Record<ShelfPause, string>> = {
  room: 'Delete some of these and we’ll carry on.',
  limit: 'Delete some of these, or set a higher limit below.',
}

type VideoProps = {
  row: KeptRow
  video: MemberVideo | undefined
  pause: ShelfPause | null
  isFirst: boolean
  /** Then it can be deleted. */
  isEditing: boolean
}

function KeptVideo({ row, video, pause, isFirst, isEditing }: VideoProps) {
  const run = useShelf()
  const title = video?.title ?? 'A video that’s been taken down'
  return (
    <li className="kept">
      <div className="kept__what">
        <h3>{title}</h3>
        {video && <p className="second">{formatDuration(video.duration)}</p>}
        <KeptProgress row={row} pause={pause} isFirst={isFirst} />
      </div>
      {isEditing ? (
        <Delete
          what={title}
          onDelete={() => run((shelf) => shelf.remove([row.videoId]))}
          button={(ask) => <IconButton icon="bin" label={`Delete: ${title}`} onClick={ask} />}
        />
      ) : (
        row.whole !== null &&
        video?.slug && (
          <ButtonLink
            look="line"
            isSmall
            icon="play"
            to="/members/videos/$slug"
            params={{ slug: video.slug }}
            hash="t=0"
            aria-label={`Play: ${title}`}
          >
            Play
          </ButtonLink>
        )
      )}
    </li>
  )
}

function DeleteAll({ count }: { count: number }) {
  const run = useShelf()
  return (
    <Delete
      what={videosText(count)}
      onDelete={() => run((shelf) => shelf.removeAll())}
      button={(ask) => (
        <Button look="bad" isSmall onClick={ask}>
          Delete all
        </Button>
      )}
    />
  )
}
