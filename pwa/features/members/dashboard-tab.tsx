import type { SyncState } from '#pwa/sync/progress/status.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { AwaitAccess } from './await-access.tsx'
import { Dashboard } from './dashboard.tsx'
import { DashboardSkeleton } from './member-skeleton.tsx'
import { MembersOnly } from './members-only.tsx'
import type { VideoShelf } from './use-video-shelf.ts'

type Props = {
  hasAccess: boolean
  isRevoked: boolean
  /** Asks whether access has come; given after a payment. */
  confirm: (() => void) | undefined
  shelf: VideoShelf
  sync: (SyncState & { isOnline: boolean }) | undefined
}

/** The videos, or why they are not here. */
export function DashboardTab({ hasAccess, isRevoked, confirm, shelf: { content, refresh }, sync }: Props) {
  if (!hasAccess) return confirm ? <AwaitAccess check={confirm} /> : <MembersOnly isRevoked={isRevoked} />
  if (content) return <Dashboard {...content} sync={sync} />
  if (sync && !sync.isOnline)
    return <EmptyState title="Needs signal">The videos show here once this page was open with signal.</EmptyState>
  if (refresh.problem)
    return (
      <EmptyState
        title="The videos could not be loaded"
        action={
          <Button look="line" isSmall icon="sync" onClick={refresh.again}>
            Retry
          </Button>
        }
      >
        Your ticks are safe.
      </EmptyState>
    )
  return <DashboardSkeleton />
}
