import type { ReactNode } from 'react'
import { UntilWeak } from '#pwa/features/chrome/until-weak.tsx'
import type { VideoList } from '#pwa/features/members/stored/use-member-data.ts'
import type { LiveSyncState } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { lockAfterDays, type PhoneLock } from '#shared/rules/phone-lock.ts'
import { AccessPending, NoAccess } from './no-access.tsx'

export type VideosProps = {
  lock: PhoneLock
  /** Undefined or null while this device has none. */
  billing: BillingSubscription | null | undefined
  /** Asks the server whether the member has access yet; passed after a payment. */
  checkAccess?: (() => void) | undefined
  videoList: VideoList
  sync: LiveSyncState
  skeleton: ReactNode
  children: (content: NonNullable<VideoList['content']>) => ReactNode
}

export function VideosOrReason({ lock, billing, checkAccess, videoList, sync, skeleton, children }: VideosProps) {
  const { content, refresh } = videoList
  if (lock.kind === 'unreachable') return <LockedUntilSignal onRetry={refresh.retry} isBusy={refresh.isBusy} />
  if (lock.kind === 'lapsed')
    return checkAccess ? <AccessPending check={checkAccess} /> : <NoAccess billing={billing} />
  if (content) return children(content)
  if (!sync.isOnline)
    return (
      <EmptyState title="You need signal" level={2}>
        Open this page once while you’re online. After that your video list is always here.
      </EmptyState>
    )
  if (refresh.problem)
    return (
      <EmptyState
        title="We couldn’t load the videos"
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
  return <UntilWeak skeleton={skeleton} />
}

/** Shown instead of what the phone keeps, after too long without confirmed access. */
export const LockedUntilSignal = ({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) => (
  <EmptyState
    title="Locked until you’re online"
    level={2}
    action={
      <Button look="line" isSmall icon="sync" isBusy={isBusy} onClick={onRetry}>
        Try again
      </Button>
    }
  >
    {`You’ve been offline for ${lockAfterDays} days, so we’ve locked what’s saved on this phone. Get some signal and it’ll open. Nothing’s lost.`}
  </EmptyState>
)
