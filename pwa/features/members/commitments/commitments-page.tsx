import { useEffect } from 'react'
import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { type OpenedArea, StoredGate } from '#pwa/features/members/frame/stored-gate.tsx'
import { LockedUntilSignal } from '#pwa/features/members/frame/videos-or-reason.tsx'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { commitmentsTitle } from '#pwa/features/places/account-places.ts'
import { forgetRefused } from '#pwa/sync/commitments/outbox.ts'
import { type RefusedCommitment, type ShownCommitment, useCommitments } from '#pwa/sync/commitments/status.ts'
import { useEngine, useIsKept, useLiveSyncState } from '#pwa/sync/hooks.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { shareText } from '#shared/rules/commitment-words.ts'
import { keptShares, lastShares, openOnes, proposedOnes, settledOnes } from '#shared/rules/commitments.ts'
import { londonDay } from '#shared/rules/london.ts'
import { CommitmentItem } from './commitment.tsx'
import { MakeForm } from './make-form.tsx'
import { useCommitmentActions } from './use-commitment-actions.ts'
import './commitments.css'

export default function CommitmentsPage() {
  return (
    <StoredGate
      page="dashboard"
      title={commitmentsTitle}
      returnTo="/members/commitments"
      skeleton={<CommitmentsSkeleton />}
      Page={OpenCommitments}
    />
  )
}

function OpenCommitments({ userRefresh, onLogout, stored, user }: OpenedArea) {
  const lock = usePhoneLock({ ...stored, user })
  const engine = useEngine()
  const { isOnline } = useLiveSyncState(stored.sync)
  useEffect(() => {
    engine.syncNow().catch(reportError)
  }, [engine])
  return (
    <div className="wrap account commit">
      <nav className="account__back" aria-label="Account">
        <TextLink isTap to="/members">
          All videos
        </TextLink>
        <LogoutLink onLogout={onLogout} />
      </nav>
      <h1 className="account__title">{commitmentsTitle}</h1>
      {lock.kind === 'unreachable' ? (
        <LockedUntilSignal isBusy={userRefresh.isBusy} onRetry={userRefresh.retry} />
      ) : lock.kind === 'lapsed' ? (
        <EmptyState title="Members Only" level={2} action={toBilling}>
          Your list comes with a membership.
        </EmptyState>
      ) : (
        <Commitments isReadOnly={user.isImpersonating} isOnline={isOnline} />
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

function Commitments({ isReadOnly, isOnline }: { isReadOnly: boolean; isOnline: boolean }) {
  const shown = useCommitments()
  const { touched, placed, change } = useCommitmentActions()
  if (!shown) return <Skeleton size="block" />
  const { all, refused } = shown
  const today = londonDay(new Date())
  const inPlace = all.map(placed)
  const [open, asked, settled] = [openOnes(inPlace), proposedOnes(inPlace), settledOnes(inPlace)]
  const waiting = all.filter(({ isWaiting }) => isWaiting).length
  const byId = new Map(all.map((one) => [one.id, one]))
  const item = ({ id }: { id: string }) => {
    const commitment = byId.get(id)
    return (
      commitment && (
        <CommitmentItem
          key={id}
          commitment={commitment}
          today={today}
          isReadOnly={isReadOnly}
          isTouched={touched.has(id)}
          onChange={change}
        />
      )
    )
  }
  return (
    <>
      {waiting > 0 && <Waiting count={waiting} isOnline={isOnline} />}
      {refused.length > 0 && <Refused refused={refused} />}
      {asked.length > 0 && <Section id="asked" title="Your coach suggests" items={asked.map(item)} />}
      {open.length > 0 ? (
        <Section id="open" title="To do" items={open.map(item)} />
      ) : (
        <p>Nothing on your list. Say what you’ll do and by when. Your coach will see it before your next call.</p>
      )}
      {!isReadOnly && (
        <section className="sheet commit__sheet" aria-labelledby="make">
          <h2 className="panel__title" id="make">
            What’s next?
          </h2>
          <MakeForm />
        </section>
      )}
      <Shares all={all} today={today} />
      {settled.length > 0 && <Section id="settled" title="Done and dropped" items={settled.map(item)} />}
    </>
  )
}

type SectionProps = { id: string; title: string; items: React.ReactNode[] }

const Section = ({ id, title, items }: SectionProps) => (
  <section className="sheet commit__sheet" aria-labelledby={id}>
    <h2 className="panel__title" id={id}>
      {title}
    </h2>
    <ul className="commit__list">{items}</ul>
  </section>
)

function Waiting({ count, isOnline }: { count: number; isOnline: boolean }) {
  const isKept = useIsKept()
  const isOne = count === 1
  const it = isOne ? 'it' : 'them'
  return (
    <p className="second" role="status">
      {count} not sent yet.{' '}
      {isKept
        ? `${isOne ? 'It’s' : 'They’re'} safe on this phone.`
        : `This phone can’t save ${it}, so keep this page open.`}
      {!isOnline && ` We’ll send ${it} when you’re back in range.`}
    </p>
  )
}

function Refused({ refused }: { refused: readonly RefusedCommitment[] }) {
  const engine = useEngine()
  const forget = () =>
    forgetRefused(
      engine,
      refused.map(({ id }) => id),
    ).catch(reportError)
  return (
    <Banner
      tone="bad"
      role="alert"
      title="We couldn’t save all of it"
      action={
        <Button isSmall look="line" onClick={forget}>
          OK
        </Button>
      }
    >
      {refused.map(({ text, message }) => (text === '' ? message : `“${text}”: ${message}`)).join(' ')}
    </Banner>
  )
}

function Shares({ all, today }: { all: readonly ShownCommitment[]; today: string }) {
  const shares = lastShares(keptShares(all, today), today)
  if (shares.length === 0) return null
  return (
    <section className="sheet commit__sheet" aria-labelledby="kept">
      <h2 className="panel__title" id="kept">
        How it’s going
      </h2>
      {shares.map((share) => (
        <p key={share.month}>{shareText(share, today)}</p>
      ))}
    </section>
  )
}

const CommitmentsSkeleton = () => (
  <div className="wrap account" role="status" aria-label="Loading what you said you’d do">
    <Skeleton size="title" isShort />
    <Skeleton size="block" />
  </div>
)
