import type { ReactNode } from 'react'
import type { LiveSyncState } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { AccessPending, NoAccess } from './no-access-section.tsx'
import type { VideoList } from './use-member-data.ts'

export type VideosProps = {
  hasAccess: boolean
  /** Undefined or null while this device has none. */
  billing: BillingSubscription | null | undefined
  /** Asks the server whether the member has access yet; given after a payment. */
  checkAccess?: (() => void) | undefined
  videoList: VideoList
  sync: LiveSyncState
  skeleton: ReactNode
  children: (content: NonNullable<VideoList['content']>) => ReactNode
}

/** What is made of the member's videos, or why there are none to show. */
export function VideosOrReason({ hasAccess, billing, checkAccess, videoList, sync, skeleton, children }: VideosProps) {
  const { content, refresh } = videoList
  if (!hasAccess) return checkAccess ? <AccessPending check={checkAccess} /> : <NoAccess billing={billing} />
  if (content) return children(content)
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
  return skeleton
}
