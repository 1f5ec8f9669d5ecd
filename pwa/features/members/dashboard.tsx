import { memo, useCallback, useMemo, useState } from 'react'
import type { SyncState } from '#pwa/sync/progress/status.ts'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { videosByCategory } from '#shared/rules/video.ts'
import { CommunityCard } from './community-card.tsx'
import { PlayerDialog } from './player-dialog.tsx'
import { categoriesWithWork, type ProgressByVideo } from './shelf.ts'
import { type ChosenOpen, firstClosedPlace } from './standing-open.ts'
import { useStandingOpen } from './use-standing-open.ts'
import { useRefusalToasts, useTicks } from './use-ticks.ts'
import { type Shelf, VideoCategorySection } from './video-category.tsx'

type Props = {
  videos: readonly MemberVideo[]
  progress: ProgressByVideo
  chosen: ChosenOpen
  sync: (SyncState & { isOnline: boolean }) | undefined
}

const nothingRefused: Shelf['refused'] = []

/** The members' first tab: the way to the community, then every video under its category. */
export const Dashboard = memo(({ videos, progress, chosen, sync }: Props) => {
  const [playing, play] = useState<MemberVideo | null>(null)
  const categories = useMemo(() => videosByCategory(videos), [videos])
  const working = useMemo(() => categoriesWithWork(videos, progress), [videos, progress])
  const open = useStandingOpen(working, chosen)
  const { tick, retry } = useTicks(sync, videos)
  useRefusalToasts(sync)
  const stop = useCallback(() => play(null), [])
  const hasSignal = sync?.isOnline ?? true
  const shelf: Shelf = {
    progress,
    refused: sync?.refused ?? nothingRefused,
    hasSignal,
    onWatch: play,
    onTick: tick,
    onRetry: retry,
  }
  return (
    <>
      <CommunityCard />
      <h2 className="vh">Videos</h2>
      {categories.length === 0 && <EmptyState title="Content Coming Soon">The first videos are being made.</EmptyState>}
      {categories.map((category, place) => {
        const choice = { isOpen: open.isOpen(category.name), choose: open.choose }
        return (
          <VideoCategorySection
            key={category.name}
            category={category}
            shelf={shelf}
            choice={place < firstClosedPlace ? undefined : choice}
          />
        )
      })}
      <PlayerDialog video={playing} hasSignal={hasSignal} onClose={stop} />
    </>
  )
})
