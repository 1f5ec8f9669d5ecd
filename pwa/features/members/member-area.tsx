import { useCallback, useMemo } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { SetPasswordForm } from '#pwa/features/auth/set-password-form.tsx'
import { BillingTab } from '#pwa/features/billing/billing-tab-section.tsx'
import type { BankReturn } from '#pwa/features/billing/search.ts'
import { ProfileSection } from '#pwa/features/profile/profile-section.tsx'
import { useProgress, useSnapshot, useSyncState, useVideos } from '#pwa/sync/hooks.ts'
import { SessionUser } from '#shared/contract/auth.ts'
import { DashboardTab } from './dashboard-tab.tsx'
import { MemberHeader, type Tally } from './member-header.tsx'
import { AreaSkeleton } from './member-skeleton.tsx'
import { MemberDock, MemberTabs } from './member-tabs.tsx'
import { Notices } from './notices.tsx'
import type { PaymentReturn } from './payment-return.ts'
import type { MemberTab } from './search.ts'
import { countCompleted } from './shelf.ts'
import { SyncStatus } from './sync-status.tsx'
import { TabPanel } from './tab-panel.tsx'
import { useBilling } from './use-billing.ts'
import type { Refresh } from './use-refresh.ts'
import { useSame } from './use-same.ts'
import { useChosenOpen } from './use-standing-open.ts'
import { type KeptList, useVideoShelf, type VideoShelf } from './use-video-shelf.ts'

type Props = {
  session: AuthSession
  tab: MemberTab
  who: Refresh
  payment: PaymentReturn
  bankReturn: BankReturn | null
  onLogout: () => void
}

/** The area of whoever was here last, from what this device keeps of him. */
export function MemberArea(props: Props) {
  const user = useSnapshot('user', SessionUser)
  // Beside the member and not after him: the device takes no longer over all of them.
  const sync = useSyncState()
  const kept = { videos: useVideos(), progress: useProgress(), chosen: useChosenOpen() }
  return user ? <OpenArea {...props} user={user} sync={sync} kept={kept} /> : <AreaSkeleton />
}

type Kept = { user: SessionUser; sync: ReturnType<typeof useSyncState>; kept: KeptList }

function OpenArea({ session, user, kept, tab, who, payment, bankReturn, onLogout, ...live }: Props & Kept) {
  const hasAccess = user.isMember || user.isAdmin
  const sync = useSame(live.sync)
  const hasSignal = sync?.isOnline ?? true
  const shelf = useVideoShelf({ kept, session, hasAccess, onRefused: who.again })
  const tally = useMemo(() => (hasAccess ? tallyOf(shelf.content) : null), [hasAccess, shelf.content])
  const { billing, refresh: billingRefresh } = useBilling(session)
  const askAboutAccess = useCallback(() => {
    billingRefresh.again()
    who.again()
  }, [billingRefresh.again, who.again])
  const { problem } = billingRefresh
  const refreshes = [who, billingRefresh, shelf.refresh]
  return (
    <div className="members">
      <div className="members__side">
        <div className="members__stay">
          <MemberHeader user={user} tally={tally} onLogout={onLogout} />
          {sync && (hasAccess || sync.pending + sync.refused.length > 0) && <SyncStatus sync={sync} />}
          <Notices {...{ payment, refreshes, hasSignal, billing: user.isAdmin ? null : billing }} />
        </div>
      </div>
      <div className="members__area">
        <MemberTabs />
        {!user.hasPassword && !user.isImpersonating && (
          <SetPasswordForm session={session} user={user} hasSignal={hasSignal} onDone={who.again} />
        )}
        <TabPanel tab={tab}>
          {tab === 'dashboard' && (
            <DashboardTab
              {...{ hasAccess, shelf, sync, isRevoked: billing?.isRevoked ?? false }}
              confirm={payment === 'paid' ? askAboutAccess : undefined}
            />
          )}
          {tab === 'profile' && <ProfileSection user={user} />}
          {tab === 'billing' && (
            <BillingTab
              {...{ billing, session, user, bankReturn, hasSignal, problem }}
              onRetry={billingRefresh.again}
            />
          )}
        </TabPanel>
      </div>
      <MemberDock />
    </div>
  )
}

const tallyOf = (content: VideoShelf['content']): Tally | null =>
  content && { available: content.videos.length, completed: countCompleted(content.videos, content.progress) }
