import { lazy, memo, Suspense, useMemo, useRef } from 'react'
import { type Finder, isSearching, useFinder } from '#pwa/features/members/finder/use-finder.ts'
import { DashboardSkeleton } from '#pwa/features/members/frame/members-skeleton.tsx'
import { useFollowLink } from '#pwa/features/members/frame/use-follow-link.ts'
import { VideosOrReason, type VideosProps } from '#pwa/features/members/frame/videos-or-reason.tsx'
import type { VideoList } from '#pwa/features/members/stored/use-member-data.ts'
import { useNewVideos } from '#pwa/features/members/stored/use-new-videos.ts'
import { firstClosedIndex, useOpenCategories } from '#pwa/features/members/stored/use-open-categories.ts'
import type { KeptMarks } from '#pwa/features/members/stored/use-shelf.ts'
import type { StoredArea } from '#pwa/features/members/stored/use-stored-area.ts'
import { useOpenVideo } from '#pwa/features/members/videos/use-open-video.ts'
import {
  categoriesWithUnsent,
  useRefusedToasts,
  useVideoProgress,
} from '#pwa/features/members/videos/use-video-progress.ts'
import { VideoCategorySection, type VideoRowContext } from '#pwa/features/members/videos/video-category.tsx'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { type LiveSyncState, useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { nextVideo, type VideoCategory, videosByCategory } from '#shared/rules/video.ts'

const FinderSection = lazy(() => loadFile(() => import('#pwa/features/members/finder/finder.tsx')))
const KeepCategory = lazyExtra(() => import('#pwa/features/members/shelf/keep-category.tsx'))
const RemovedNotice = lazyExtra(() => import('#pwa/features/members/shelf/removed-notice.tsx'))
const PlayerDialog = lazy(() => loadFile(() => import('#pwa/features/members/videos/player-dialog.tsx')))

type TabProps = Omit<VideosProps, 'skeleton' | 'children'> & Pick<StoredArea, 'visit'>

export const DashboardTab = ({ visit, ...props }: TabProps) => (
  <VideosOrReason {...props} skeleton={<DashboardSkeleton />}>
    {(content) => <Dashboard {...content} visit={visit} sync={props.sync} />}
  </VideosOrReason>
)

type DashboardProps = Omit<NonNullable<VideoList['content']>, 'positions'> &
  Pick<StoredArea, 'visit'> & { sync: LiveSyncState }

const Dashboard = memo(({ videos, progress, kept, chosen, visit, sync }: DashboardProps) => {
  const { playing, open: watch, close: closePlayer } = useOpenVideo(videos)
  const wasPlayed = useRef(false)
  if (playing !== null) wasPlayed.current = true
  const categories = useMemo(() => videosByCategory(videos), [videos])
  const unsent = useMemo(() => categoriesWithUnsent(videos, progress), [videos, progress])
  const open = useOpenCategories(unsent, chosen)
  const { tick, retry } = useVideoProgress(sync)
  useRefusedToasts(sync)
  const hasSignal = sync.isOnline
  const newIds = useNewVideos(videos, visit)
  const { finder, set: setFinder } = useFinder()
  const context: VideoRowContext = {
    progress,
    newIds,
    refused: sync.refused,
    kept,
    hasSignal,
    onWatch: watch,
    onOpen: useFollowLink(),
    onTick: tick,
    onRetry: retry,
  }
  return (
    <>
      <h2 className="vh">Videos</h2>
      {categories.length === 0 && <EmptyState title="Content Coming Soon">Videos are on their way.</EmptyState>}
      <Doors videos={videos} kept={kept} newIds={newIds} isFinderOpen={finder !== undefined} onOpen={setFinder} />
      {finder && (
        <Suspense fallback={<p role="status">Loading…</p>}>
          <FinderSection
            context={context}
            finder={finder}
            videos={categories.flatMap((category) => category.videos)}
            onChange={setFinder}
          />
        </Suspense>
      )}
      <CommunityCard hasSignal={hasSignal} />
      {!(finder && isSearching(finder)) && <Categories categories={categories} context={context} open={open} />}
      {wasPlayed.current && (
        <Suspense>
          <PlayerDialog
            video={playing}
            next={playing && nextVideo(categories, playing)}
            isCompleted={playing !== null && progress.get(playing.id)?.completed === true}
            hasSignal={hasSignal}
            kept={kept}
            onTick={tick}
            onWatch={watch}
            onClose={closePlayer}
          />
        </Suspense>
      )}
    </>
  )
})

/** The same functions at each render, because a category draws again for another one. */
const keepFoot =
  (hasSignal: boolean) =>
  ({ videos }: VideoCategory<MemberVideo>) => (
    <Suspense>
      <KeepCategory videos={videos} hasSignal={hasSignal} />
    </Suspense>
  )
const feet = { online: keepFoot(true), offline: keepFoot(false) }

type CategoriesProps = {
  categories: readonly VideoCategory<MemberVideo>[]
  context: VideoRowContext
  open: ReturnType<typeof useOpenCategories>
}

const Categories = ({ categories, context, open }: CategoriesProps) =>
  categories.map((category, index) => {
    const choice = { isOpen: open.isOpen(category.name), choose: open.choose }
    return (
      <VideoCategorySection
        key={category.name}
        category={category}
        context={context}
        choice={index < firstClosedIndex ? undefined : choice}
        foot={context.hasSignal ? feet.online : feet.offline}
      />
    )
  })

type DoorProps = {
  videos: readonly MemberVideo[]
  isFinderOpen: boolean
  newIds: ReadonlySet<string>
  kept: KeptMarks
  onOpen: (change: Partial<Finder>) => void
}

/** The finder, what's new since the member's last visit, and what's on this phone. */
function Doors({ videos, isFinderOpen, newIds, kept, onOpen }: DoorProps) {
  const isReadOnly = useIsReadOnly()
  if (videos.length === 0) return null
  const keptCount = [...kept.values()].filter(({ whole }) => whole !== null).length
  return (
    <>
      <div className="finder-door">
        {!isFinderOpen && (
          <Button look="line" isSmall icon="find" onClick={() => onOpen({})}>
            Find a video
          </Button>
        )}
        {!isReadOnly && (
          <ButtonLink look="line" isSmall icon="down" to="/members/$place" params={{ place: 'shelf' }}>
            On this phone{keptCount > 0 && ` (${keptCount})`}
          </ButtonLink>
        )}
        <ButtonLink look="line" isSmall icon="play" to="/members/$place" params={{ place: 'listen' }}>
          Listen
        </ButtonLink>
        <ButtonLink look="line" isSmall icon="list" to="/members/$place" params={{ place: 'commitments' }}>
          What you said you’d do
        </ButtonLink>
        {!isReadOnly && (
          <ButtonLink look="line" isSmall icon="invoice" to="/members/$place" params={{ place: 'wallet' }}>
            Coaches and invoices
          </ButtonLink>
        )}
        {newIds.size > 0 && (
          <Button look="bare" isSmall onClick={() => onOpen({ show: 'new' })}>
            {newIds.size} new since your last visit
          </Button>
        )}
      </div>
      <Suspense>
        <RemovedNotice videos={videos} />
      </Suspense>
    </>
  )
}

function CommunityCard({ hasSignal }: { hasSignal: boolean }) {
  const { community } = useSiteContent().links
  if (!community) return null
  if (!hasSignal)
    return (
      <p className="club">
        <span>
          <b>Community</b>
          Needs signal
        </span>
        <Icon name="nosignal" />
      </p>
    )
  return (
    <a className="club" href={community} target="_blank" rel="noreferrer">
      <span>
        <b>Community</b>
        Ask the other members. Opens in a new tab.
      </span>
      <Icon name="ext" />
    </a>
  )
}
