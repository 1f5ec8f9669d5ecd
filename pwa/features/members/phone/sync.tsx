import { SyncStatus, syncedWhen } from '#pwa/features/members/frame/sync-status.tsx'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { type StoredArea, useStoredArea } from '#pwa/features/members/stored/use-stored-area.ts'
import { useEngine, useIsReadOnly, useLiveSyncState } from '#pwa/sync/hooks.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import { type PhoneChange, type PhoneReport, usePhoneReport } from './phone-report-store.ts'

/** Every change this phone has made and not settled, and the last ones the server has. */
export default function SyncSection() {
  const report = usePhoneReport()
  const stored = useStoredArea()
  return report && stored?.user ? (
    <Report report={report} stored={stored} user={stored.user} />
  ) : (
    <Skeleton size="block" />
  )
}

type Props = { report: PhoneReport; stored: StoredArea; user: SessionUser }

function Report({ report: { sync, changes }, stored, user }: Props) {
  const live = useLiveSyncState(sync)
  const { kind } = usePhoneLock({ ...stored, user })
  // They can still send and discard what's waiting, but we name nothing.
  const isLocked = kind === 'lapsed' || kind === 'unreachable'
  const list = (all: readonly PhoneChange[]) => (
    <Changes changes={isLocked ? all.map((change) => ({ ...change, title: change.kind })) : all} />
  )
  return (
    <>
      <SyncStatus sync={live} />
      <section className="sheet account__sheet" aria-labelledby="not-sent">
        <h2 className="panel__title" id="not-sent">
          Not sent yet
        </h2>
        {changes.open.length === 0 ? (
          <EmptyState title="Nothing to send here">
            Everything on this page has been sent. Questions are under Your questions.
          </EmptyState>
        ) : (
          list(changes.open)
        )}
      </section>
      <section className="sheet account__sheet" aria-labelledby="last-sent">
        <h2 className="panel__title" id="last-sent">
          Last sent
        </h2>
        {changes.recent.length === 0 ? <p>Nothing sent yet.</p> : list(changes.recent)}
      </section>
    </>
  )
}

const Changes = ({ changes }: { changes: readonly PhoneChange[] }) => (
  <ul className="account__rows">
    {changes.map((change) => (
      <Change key={change.key} change={change} />
    ))}
  </ul>
)

const badges = {
  waiting: <Badge tone="wait">Waiting to send</Badge>,
  sending: <Badge tone="wait">Sending</Badge>,
  refused: <Badge tone="bad">Refused</Badge>,
  sent: <Badge tone="ok">Sent</Badge>,
}

function Change({ change }: { change: PhoneChange }) {
  const { title, what, at, state, reason } = change
  return (
    <li>
      <div>
        <strong>{title}</strong> {badges[state]}
        <p className="second">
          {what}, {syncedWhen(new Date(at).toISOString(), new Date())}
        </p>
        {reason && <p>{reason}</p>}
      </div>
      <Actions change={change} />
    </li>
  )
}

function Actions({ change: { id, title, state } }: { change: PhoneChange }) {
  const engine = useEngine()
  const isReadOnly = useIsReadOnly()
  if (id === null || isReadOnly || state === 'sending') return null
  const discard = async () => {
    await engine.discard(id)
    // A change in transit may have arrived after all: the response shows.
    await engine.syncNow()
  }
  const retry = () => (state === 'refused' ? engine.retryRefused(id) : engine.syncNow())
  return (
    <div className="acts">
      <Button look="line" isSmall aria-label={`Retry: ${title}`} onClick={() => void retry().catch(reportError)}>
        Retry
      </Button>
      <Button look="bare" isSmall aria-label={`Discard: ${title}`} onClick={() => void discard().catch(reportError)}>
        Discard
      </Button>
    </div>
  )
}
