import { useQueryClient } from '@tanstack/react-query'
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { SetPasswordForm } from '#pwa/features/auth/set-password-form.tsx'
import { BillingBanner } from '#pwa/features/billing/billing-banner.tsx'
import { BillingTab } from '#pwa/features/billing/billing-tab.tsx'
import { LazyPaidNotice } from '#pwa/features/billing/paid/lazy-paid-notice.tsx'
import { closePaidNotice, isPaidNoticeOpen } from '#pwa/features/billing/paid/paid-notice-storage.ts'
import type { BankReturn } from '#pwa/features/billing/search.ts'
import { AreaSkeleton, Coming, ProfileSkeleton } from '#pwa/features/members/frame/members-skeleton.tsx'
import { SyncStatus } from '#pwa/features/members/frame/sync-status.tsx'
import type { MemberTab } from '#pwa/features/members/search.ts'
import {
  isLoggedOut,
  type Refresh,
  useBillingRefresh,
  useCallsRefresh,
  useStable,
  useVideoList,
  type VideoList,
} from '#pwa/features/members/stored/use-member-data.ts'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { type StoredArea, useStoredArea } from '#pwa/features/members/stored/use-stored-area.ts'
import { countCompleted } from '#pwa/features/members/videos/use-video-progress.ts'
import { useKeptInvoices } from '#pwa/features/members/wallet/use-kept-invoices.ts'
import { labelOf } from '#pwa/features/places/member-places.ts'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { pageTextQuery } from '#pwa/lib/text-page.ts'
import { useLiveSyncState } from '#pwa/sync/hooks.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import type { SessionUser } from '#shared/contract/auth.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import type { PhoneLock } from '#shared/rules/phone-lock.ts'
import { DashboardTab } from './dashboard.tsx'
import { MemberHeader, type Tally } from './member-header.tsx'
import { NextCard } from './next-card.tsx'
import { WithNotes } from './notes.tsx'
import { PhoneNotices } from './phone-notices.tsx'

const FirstCommitments = lazyExtra(() => import('#pwa/features/members/commitments/first-commitments.tsx'))

/** Cached on the phone with the rest of the app, and loaded when the tab opens. */
const ProfileTab = lazy(() => loadFile(() => import('#pwa/features/profile/profile-tab.tsx')))

type Props = {
  session: AuthSession
  tab: MemberTab
  userRefresh: Refresh
  hasPaid: boolean
  bankReturn: BankReturn | null
  onLogout: () => void
}

export function MemberArea(props: Props) {
  const stored = useStable(useStoredArea())
  return stored?.user ? (
    <OpenArea {...props} user={stored.user} stored={stored} />
  ) : (
    <Coming title={labelOf(props.tab)}>
      <AreaSkeleton tab={props.tab} />
    </Coming>
  )
}

type OpenProps = Props & { user: SessionUser; stored: StoredArea }

function OpenArea({ session, user, stored, tab, userRefresh, hasPaid, bankReturn, onLogout }: OpenProps) {
  const hasAccess = user.isMember || user.isAdmin
  const lock = usePhoneLock({ ...stored, user })
  const isLocked = lock.kind === 'lapsed' || lock.kind === 'unreachable'
  const { billing, billingSavedAt: savedAt, calls, visit } = stored
  const sync = useLiveSyncState(stored.sync)
  const hasSignal = sync.isOnline
  const videoList = useVideoList({ stored, session, hasAccess, onRefused: userRefresh.retry })
  const tally = useMemo(() => (isLocked ? null : tallyOf(videoList.content)), [isLocked, videoList.content])
  const billingRefresh = useBillingRefresh(session)
  useCallsRefresh(session, hasAccess)
  useContactForm(hasSignal && !billingRefresh.isBusy)
  useKeptInvoices(session, hasSignal && !isLocked && !billingRefresh.isBusy, stored)
  const checkAccess = useCallback(() => {
    billingRefresh.retry()
    userRefresh.retry()
  }, [billingRefresh.retry, userRefresh.retry])
  const { problem, retry: onRetry } = billingRefresh
  const refreshes = useRetriesWithSignal(hasSignal, [userRefresh, billingRefresh, videoList.refresh])
  return (
    <div className={classNames('members', tab !== 'dashboard' && 'members--slim')}>
      <div className="members__side">
        <div className="members__stay">
          <MemberHeader user={user} tally={tally} onLogout={onLogout} />
          {(hasAccess || sync.pending + sync.commitments + sync.refused.length > 0) && <SyncStatus sync={sync} />}
          <MemberNotices
            refreshes={refreshes}
            hasSignal={hasSignal}
            lock={lock}
            stored={stored}
            billing={tab === 'billing' ? null : billing}
          />
        </div>
      </div>
      <div className="members__area">
        {!user.hasPassword && !user.isImpersonating && (
          <SetPasswordForm session={session} user={user} hasSignal={hasSignal} onDone={userRefresh.retry} />
        )}
        {billing && tab === 'dashboard' && (
          <PaidNoticeUntilClosed session={session} billing={billing} hasPaid={hasPaid} memberId={user.id} />
        )}
        <MemberTabPanel tab={tab}>
          {tab === 'dashboard' && (
            <>
              {!isLocked && videoList.content && (
                <NextCard calls={calls} hasSignal={hasSignal} content={videoList.content} />
              )}
              {!isLocked && hasAccess && (
                <Suspense>
                  <FirstCommitments />
                </Suspense>
              )}
              <WithNotes
                session={session}
                user={user}
                stored={stored}
                hasSignal={hasSignal}
                isOpen={hasAccess && !isLocked}
              >
                <DashboardTab
                  lock={lock}
                  videoList={videoList}
                  sync={sync}
                  billing={billing}
                  visit={visit}
                  checkAccess={hasPaid ? checkAccess : undefined}
                />
              </WithNotes>
            </>
          )}
          {tab === 'profile' && (
            <Suspense fallback={<ProfileSkeleton />}>
              <ProfileTab session={session} user={user} hasSignal={hasSignal} />
            </Suspense>
          )}
          {tab === 'billing' && (
            <BillingTab
              billing={billing}
              savedAt={savedAt}
              session={session}
              user={user}
              bankReturn={bankReturn}
              hasSignal={hasSignal}
              problem={problem}
              onRetry={onRetry}
            />
          )}
        </MemberTabPanel>
      </div>
    </div>
  )
}

/** Reloads what failed without signal. Behind a Wi-Fi's login page the browser never knew, so it fires no event. */
function useRetriesWithSignal(hasSignal: boolean, refreshes: readonly Refresh[]): readonly Refresh[] {
  const retryLost = useEffectEvent(() => {
    for (const { problem, retry } of refreshes) if (isOffline(problem)) retry()
  })
  useEffect(() => {
    if (hasSignal) retryLost()
  }, [hasSignal])
  return refreshes
}

type PaidProps = { session: AuthSession; memberId: string; billing: BillingSubscription; hasPaid: boolean }

/** The latest payment, made here or on the pages before. */
function PaidNoticeUntilClosed({ hasPaid, ...paid }: PaidProps) {
  const [isOpen, setOpen] = useState(() => hasPaid || isPaidNoticeOpen())
  if (!isOpen || !paid.billing.hasAccess) return null
  const close = () => {
    closePaidNotice()
    setOpen(false)
  }
  return <LazyPaidNotice {...paid} onClose={close} />
}

const tallyOf = (content: VideoList['content']): Tally | null =>
  content && { available: content.videos.length, completed: countCompleted(content.videos, content.progress) }

type NoticesProps = {
  /** Null if the page itself starts with it. */
  billing: BillingSubscription | null | undefined
  refreshes: readonly Refresh[]
  hasSignal: boolean
  lock: PhoneLock
  stored: StoredArea
}

function MemberNotices({ billing, refreshes, hasSignal, lock, stored }: NoticesProps) {
  const problem = refreshes.find((refresh) => refresh.problem && !isLoggedOut(refresh))?.problem
  const tryAgain = () => {
    for (const { retry } of refreshes) retry()
  }
  return (
    <>
      {billing && <BillingBanner billing={billing} />}
      <PhoneNotices lock={lock} stored={stored} />
      {problem && hasSignal && (
        <Banner
          tone="bad"
          role="status"
          title="This may be out of date"
          action={
            <Button isSmall look="line" icon="sync" isBusy={refreshes.some(({ isBusy }) => isBusy)} onClick={tryAgain}>
              Try again
            </Button>
          }
        >
          {`${messageOf(problem, 'We couldn’t reach the site.')} This is what’s saved on your phone. Your ticks are safe.`}
        </Banner>
      )}
    </>
  )
}

function MemberTabPanel({ tab, children }: { tab: MemberTab; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null)
  const shown = useRef(tab)
  useEffect(() => {
    if (shown.current === tab || !panel.current) return
    shown.current = tab
    panel.current.focus({ preventScroll: true })
    const { top } = panel.current.getBoundingClientRect()
    if (top < 0 || top > window.innerHeight / 2) panel.current.scrollIntoView({ block: 'start' })
  }, [tab])
  return (
    <section className="members__panel" ref={panel} tabIndex={-1} aria-label={labelOf(tab)}>
      {children}
    </section>
  )
}

/** The contact form waits for signal as ticks do, so its page is on the phone before anyone needs it there. */
function useContactForm(isReady: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isReady) return
    // For a link of this page; the worker keeps the whole page for its address.
    void queryClient.prefetchQuery(pageTextQuery('contact'))
    const tell = ({ active }: ServiceWorkerRegistration) => active?.postMessage({ type: 'page-seen', path: '/contact' })
    navigator.serviceWorker?.ready.then(tell, reportError)
  }, [queryClient, isReady])
}
