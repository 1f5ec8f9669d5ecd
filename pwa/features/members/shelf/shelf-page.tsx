import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { type OpenedArea, StoredGate } from '#pwa/features/members/frame/stored-gate.tsx'
import { LockedUntilSignal } from '#pwa/features/members/frame/videos-or-reason.tsx'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { useShelfView } from '#pwa/features/members/stored/use-shelf.ts'
import { shelfTitle } from '#pwa/features/places/account-places.ts'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { KeptList } from './kept-list.tsx'
import './shelf.css'

export default function ShelfPage() {
  return (
    <StoredGate
      page="dashboard"
      title={shelfTitle}
      returnTo="/members/shelf"
      skeleton={<ShelfSkeleton />}
      Page={OpenShelf}
    />
  )
}

function OpenShelf({ onLogout, userRefresh, stored, user }: OpenedArea) {
  const lock = usePhoneLock({ ...stored, user })
  return (
    <div className="wrap account account--pairs shelf">
      <nav className="account__back" aria-label="Account">
        <TextLink isTap to="/members">
          All videos
        </TextLink>
        <LogoutLink onLogout={onLogout} />
      </nav>
      <h1 className="account__title">{shelfTitle}</h1>
      {lock.kind === 'unreachable' ? (
        <LockedUntilSignal isBusy={userRefresh.isBusy} onRetry={userRefresh.retry} />
      ) : lock.kind === 'lapsed' ? (
        <EmptyState title="Members Only" level={2} action={toBilling}>
          Keeping videos comes with a membership.
        </EmptyState>
      ) : (
        <ShelfOrReason stored={stored} />
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

function ShelfOrReason({ stored: { videos } }: Pick<OpenedArea, 'stored'>) {
  const view = useShelfView()
  const isReadOnly = useIsReadOnly()
  if (isReadOnly)
    return (
      <EmptyState title="Not while you’re viewing as a member" level={2}>
        Kept videos stay on the member’s own phone.
      </EmptyState>
    )
  return view ? <KeptList view={view} videos={videos} /> : <Skeleton size="block" />
}

const ShelfSkeleton = () => (
  <div className="wrap account" role="status" aria-label="Loading">
    <Skeleton size="title" isShort />
    <Skeleton size="block" />
  </div>
)
