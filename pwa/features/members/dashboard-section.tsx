import { lazy, memo, Suspense, useMemo, useRef } from 'react'
import {
  type ChosenOpen,
  firstClosedIndex,
  useOpenCategories,
} from '#pwa/features/members/videos/use-open-categories.ts'
import { useOpenVideo } from '#pwa/features/members/videos/use-open-video.ts'
import {
  categoriesWithUnsent,
  type ProgressByVideo,
  useRefusedToasts,
  useVideoProgress,
} from '#pwa/features/members/videos/use-video-progress.ts'
import { VideoCategorySection, type VideoRowContext } from '#pwa/features/members/videos/video-category-section.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import type { LiveSyncState } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import { nextVideo, videosByCategory } from '#shared/rules/video.ts'
import { DashboardSkeleton } from './members-skeleton.tsx'
import { AccessPending, NoAccess } from './no-access-section.tsx'
import type { VideoList } from './use-member-data.ts'

const PlayerDialog = lazy(() => import('#pwa/features/members/videos/player-dialog.tsx'))

type TabProps = {
  hasAccess: boolean
  /** Undefined or null while this device has none. */
  billing: BillingSubscription | null | undefined
  /** Asks the server whether the member has access yet; given after a payment. */
  checkAccess: (() => void) | undefined
  videoList: VideoList
  sync: LiveSyncState
}

/** The videos, or why they cannot be shown. */
export function DashboardTab({ hasAccess, billing, checkAccess, videoList: { content, refresh }, sync }: TabProps) {
  if (!hasAccess) return checkAccess ? <AccessPending check={checkAccess} /> : <NoAccess billing={billing} />
  if (content) return <Dashboard {...content} sync={sync} />
  if (!sync.isOnline)
    return (
      <EmptyState title="Needs signal" level={2}>
        Open this page once with signal, and the videos are here from then on.
      </EmptyState>
    )
  if (refresh.problem)
    return (
      <EmptyState
        title="The videos could not be loaded"
        level={2}
        action={
          <Button look="line" isSmall icon="sync" onClick={refresh.retry}>
            Retry
          </Button>
        }
      >
        Your ticks are safe.
      </EmptyState>
    )
  return <DashboardSkeleton />
}

type DashboardProps = {
  videos: readonly MemberVideo[]
  progress: ProgressByVideo
  chosen: ChosenOpen
  sync: LiveSyncState
}

/** The link to the community, then every video under its category. */
const Dashboard = memo(({ videos, progress, chosen, sync }: DashboardProps) => {
  const { playing, open: watch, close: closePlayer } = useOpenVideo(videos)
  const wasPlayed = useRef(false)
  if (playing !== null) wasPlayed.current = true
  const categories = useMemo(() => videosByCategory(videos), [videos])
  const unsent = useMemo(() => categoriesWithUnsent(videos, progress), [videos, progress])
  const open = useOpenCategories(unsent, chosen)
  const { tick, retry } = useVideoProgress(sync)
  useRefusedToasts(sync)
  const hasSignal = sync.isOnline
  const context: VideoRowContext = {
    progress,
    refused: sync.refused,
    hasSignal,
    onWatch: watch,
    onTick: tick,
    onRetry: retry,
  }
  return (
    <>
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
