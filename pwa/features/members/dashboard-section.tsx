import { lazy, memo, Suspense, useMemo, useRef } from 'react'
import { useFollowLink } from '#pwa/features/members/videos/use-follow-link.ts'
import { firstClosedIndex, useOpenCategories } from '#pwa/features/members/videos/use-open-categories.ts'
import { useOpenVideo } from '#pwa/features/members/videos/use-open-video.ts'
import {
  categoriesWithUnsent,
  useRefusedToasts,
  useVideoProgress,
} from '#pwa/features/members/videos/use-video-progress.ts'
import { VideoCategorySection, type VideoRowContext } from '#pwa/features/members/videos/video-category-section.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import type { LiveSyncState } from '#pwa/sync/hooks.ts'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { nextLesson, nextVideo, videosByCategory } from '#shared/rules/video.ts'
import { DashboardSkeleton } from './members-skeleton.tsx'
import { NextCard } from './next-card-section.tsx'
import type { StoredArea } from './stored-area.ts'
import type { VideoList } from './use-member-data.ts'
import { VideosOrReason, type VideosProps } from './videos-or-reason-section.tsx'

const PlayerDialog = lazy(() => import('#pwa/features/members/videos/player-dialog.tsx'))

/** What only today's sheet needs besides the videos. */
type SheetProps = Pick<StoredArea, 'calls'>

type TabProps = Omit<VideosProps, 'skeleton' | 'children'> & SheetProps

/** The videos, or why they cannot be shown. */
export const DashboardTab = ({ calls, ...props }: TabProps) => (
  <VideosOrReason {...props} skeleton={<DashboardSkeleton />}>
    {(content) => <Dashboard {...content} calls={calls} sync={props.sync} />}
  </VideosOrReason>
)

type DashboardProps = SheetProps &
  NonNullable<VideoList['content']> & {
    sync: LiveSyncState
  }

/** Today's sheet, the link to the community, then every video under its category. */
const Dashboard = memo(({ videos, progress, chosen, positions, calls, sync }: DashboardProps) => {
  const { playing, open: watch, close: closePlayer } = useOpenVideo(videos)
  const wasPlayed = useRef(false)
  if (playing !== null) wasPlayed.current = true
  const categories = useMemo(() => videosByCategory(videos), [videos])
  const unsent = useMemo(() => categoriesWithUnsent(videos, progress), [videos, progress])
  const open = useOpenCategories(unsent, chosen)
  const { tick, retry } = useVideoProgress(sync)
  useRefusedToasts(sync)
  const hasSignal = sync.isOnline
  const lesson = useMemo(
    () => nextLesson(categories, (id) => progress.get(id)?.completed === true, positions),
    [categories, progress, positions],
  )
  const context: VideoRowContext = {
    progress,
    refused: sync.refused,
    hasSignal,
    onWatch: watch,
    onOpen: useFollowLink(),
    onTick: tick,
    onRetry: retry,
  }
  return (
    <>
      {videos.length > 0 && <NextCard {...{ lesson, calls, hasSignal }} />}
      <CommunityCard />
      <h2 className="vh">Videos</h2>
      {categories.length === 0 && <EmptyState title="Content Coming Soon">The first videos are being made.</EmptyState>}
      {categories.map((category, index) => {
        const choice = { isOpen: open.isOpen(category.name), choose: open.choose }
        return (
          <VideoCategorySection
            key={category.name}
            category={category}
            context={context}
            choice={index < firstClosedIndex ? undefined : choice}
          />
        )
      })}
      {wasPlayed.current && (
        <Suspense>
          <PlayerDialog
            video={playing}
            next={playing && nextVideo(categories, playing)}
            isCompleted={playing !== null && progress.get(playing.id)?.completed === true}
            hasSignal={hasSignal}
            onTick={tick}
            onWatch={watch}
            onClose={closePlayer}
          />
        </Suspense>
      )}
    </>
  )
})

/** A link to the members' community on another site. */
function CommunityCard() {
  const { community } = useSiteContent().links
  if (!community) return null
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
