import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { UntilWeak } from '#pwa/features/chrome/until-weak.tsx'
import { type OpenedArea, StoredGate } from '#pwa/features/members/frame/stored-gate.tsx'
import { AsOf } from '#pwa/features/members/frame/sync-status.tsx'
import { LockedUntilSignal } from '#pwa/features/members/frame/videos-or-reason.tsx'
import { type Refresh, useCallsRefresh } from '#pwa/features/members/stored/use-member-data.ts'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { callsTitle } from '#pwa/features/places/account-places.ts'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useBackInRange } from '#pwa/lib/use-back-in-range.ts'
import { useLiveSyncState } from '#pwa/sync/hooks.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { MemberCall, MemberCalls } from '#shared/contract/member-calls.ts'
import { BookLink } from './book-link.tsx'
import { OwnCall } from './call.tsx'
import { catchUpText } from './call-texts.ts'
import './calls.css'

export default function CallsPage() {
  return (
    <StoredGate
      page="calls"
      title={callsTitle}
      returnTo="/members/calls"
      skeleton={<CallsSkeleton />}
      Page={OpenCalls}
    />
  )
}

function OpenCalls({ session, onLogout, stored, user }: OpenedArea) {
  const hasAccess = user.isMember || user.isAdmin
  const lock = usePhoneLock({ ...stored, user })
  const refresh = useCallsRefresh(session, hasAccess)
  useBackInRange(isOffline(refresh.problem), refresh.retry)
  const { isOnline } = useLiveSyncState(stored.sync)
  return (
    <div className="wrap account calls">
      <div className="account__back">
        <h1 className="account__title">{callsTitle}</h1>
        <LogoutLink onLogout={onLogout} />
      </div>
      {lock.kind === 'unreachable' ? (
        <LockedUntilSignal isBusy={refresh.isBusy} onRetry={refresh.retry} />
      ) : lock.kind === 'lapsed' ? (
        <EmptyState title="Members Only" level={2} action={toBilling}>
          Calls come with a membership.
        </EmptyState>
      ) : stored.calls === null ? (
        <NoCallsHere refresh={refresh} />
      ) : (
        <>
          <AsOf savedAt={stored.callsSavedAt ?? stored.userSavedAt} />
          <Calls
            session={session}
            refresh={refresh}
            calls={stored.calls}
            isReadOnly={user.isImpersonating}
            hasSignal={isOnline && !isOffline(refresh.problem)}
          />
        </>
      )}
    </div>
  )
}

/** Billing says what they can do about it. */
const toBilling = (
  <ButtonLink to="/members" search={{ tab: 'billing' }} icon="arrow">
    See your membership
  </ButtonLink>
)

type CallsProps = {
  calls: MemberCalls
  session: AuthSession
  refresh: Refresh
  /** Booking, moving and writing need signal, and only the member can do it. */
  isReadOnly: boolean
  hasSignal: boolean
}

function Calls({ calls: { calls, includedMinutes }, session, refresh, isReadOnly, hasSignal }: CallsProps) {
  const isUpToDate = hasSignal && refresh.problem === null
  const canChange = isUpToDate && !isReadOnly
  const toCome = calls.filter(({ link }) => link !== null).toReversed()
  const held = calls.filter(({ link }) => link === null)
  const section = (call: MemberCall) => (
    <OwnCall key={call.id} call={call} session={session} canChange={canChange} onChanged={refresh.retry} />
  )
  return (
    <>
      {!isUpToDate && (
        <p className="second" role="status">
          {hasSignal
            ? 'We couldn’t reach the site. This is what’s saved on your phone.'
            : 'No signal. This is what’s saved on your phone. You can change a call when you’re back in range.'}
        </p>
      )}
      <section className="calls__part" aria-labelledby="to-come">
        <h2 id="to-come" className="panel__title">
          To come
        </h2>
        {toCome.length === 0 && <p>No calls booked.</p>}
        {toCome.map(section)}
        <Booking includedMinutes={includedMinutes} hasSignal={hasSignal} />
      </section>
      {held.length > 0 && (
        <section className="calls__part" aria-labelledby="held">
          <h2 id="held" className="panel__title">
            Past calls
          </h2>
          {held.map(section)}
        </section>
      )}
    </>
  )
}

function Booking({ includedMinutes, hasSignal }: { includedMinutes: number | null; hasSignal: boolean }) {
  const { coachCalls, catchUps } = useSiteContent().links
  return (
    <>
      <div className="acts">
        {includedMinutes !== null && (
          <BookLink place="book-call" hasSignal={hasSignal}>
            Book a {includedMinutes}-minute call
          </BookLink>
        )}
        <BookLink place="catch-up" hasSignal={hasSignal} look={includedMinutes === null ? 'ink' : 'line'}>
          Book a short catch-up
        </BookLink>
      </div>
      <p className="second">{catchUpText} Book one any time.</p>
      <TextLink isTap to="/members/$place" params={{ place: 'wallet' }}>
        Ring or email a coach
      </TextLink>
      {[...coachCalls, ...catchUps].some((address) => address !== '') && (
        <p className="second">Calls booked in a coach’s own calendar aren’t listed here. Check your email for those.</p>
      )}
    </>
  )
}

function NoCallsHere({ refresh: { isBusy, problem, retry } }: { refresh: Refresh }) {
  if (problem === null) return <UntilWeak skeleton={<Skeleton size="block" />} />
  return (
    <EmptyState
      title={isOffline(problem) ? 'No signal' : 'We couldn’t load your calls'}
      level={2}
      action={
        <Button look="line" isSmall icon="sync" isBusy={isBusy} onClick={retry}>
          Retry
        </Button>
      }
    >
      {isOffline(problem)
        ? 'Open this page once while you’re online. After that you can read it without signal.'
        : messageOf(problem, 'We couldn’t reach the site. Try again in a minute.')}
    </EmptyState>
  )
}

const CallsSkeleton = () => (
  <div className="wrap account" role="status" aria-label="Loading your calls">
    <Skeleton size="title" isShort />
    <Skeleton size="block" />
  </div>
)
