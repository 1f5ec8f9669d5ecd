import { useMemo } from 'react'
import { useIsSignalWeak } from '#pwa/lib/weak-signal.ts'
import { type LiveSyncState, useEngine } from '#pwa/sync/hooks.ts'
import type { SyncState } from '#pwa/sync/progress/status.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { SyncLine } from '#pwa/ui/sync-line.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'

type Paused = NonNullable<SyncState['paused']>

/** What's waiting on this device, when it last synced, and why nothing is being sent. */
export function SyncStatus({ sync }: { sync: LiveSyncState }) {
  const engine = useEngine()
  const toast = useToast()
  const syncNow = async () => {
    const result = await engine.syncNow()
    if (result === 'later' || result === 'skipped')
      toast({ title: 'Not sent yet', description: 'We couldn’t reach the site. It’s all safe on this phone.' })
  }
  const waiting = sync.pending + sync.sending + sync.commitments
  const { lastSyncedAt } = sync
  const lastSynced = useMemo(() => (lastSyncedAt ? syncedWhen(lastSyncedAt, new Date()) : undefined), [lastSyncedAt])
  return (
    <>
      <SyncLine
        isOnline={sync.isOnline}
        hasNetwork={sync.hasNetwork}
        isSending={sync.sending > 0}
        waiting={waiting}
        refused={sync.refused.length}
        lastSynced={lastSynced}
        onSync={() => syncNow().catch(reportError)}
      />
      {sync.paused && <PausedNotice paused={sync.paused} waiting={waiting} />}
    </>
  )
}

/** `07:40` for today, and with its date before that. */
export function syncedWhen(lastSyncedAt: string, now: Date): string {
  const clock = formatClock(lastSyncedAt)
  const isToday = new Date(lastSyncedAt).toDateString() === now.toDateString()
  return isToday ? clock : `${formatLongDate(lastSyncedAt)}, ${clock}`
}

const reasons: Record<Paused, { title: string; text: string }> = {
  login: { title: 'Log in again to send', text: 'You’ve been logged out.' },
  access: { title: 'Member Access Required', text: 'We can’t send anything until you have access.' },
  member: { title: 'Someone else is logged in here', text: 'Log in as yourself to send.' },
}

function PausedNotice({ paused, waiting }: { paused: Paused; waiting: number }) {
  const { title, text } = reasons[paused]
  const kept = waiting > 0 ? `${waiting} not sent yet, safe on this phone.` : 'Your ticks are safe on this phone.'
  const login = (
    <ButtonLink isSmall to="/login" search={{ redirect: '/members' }} icon="arrow">
      Log in
    </ButtonLink>
  )
  return (
    <Banner tone="bad" role="status" title={title} action={paused === 'access' ? undefined : login}>
      {`${text} ${kept}`}
    </Banner>
  )
}

/** While a response is late, we show this phone's data. `savedAt` in ms since 1970. */
export function AsOf({ savedAt }: { savedAt: number }) {
  const isWeak = useIsSignalWeak()
  return (
    <p className="members__asof" role="status">
      {isWeak && `Weak signal. Last updated ${syncedWhen(new Date(savedAt).toISOString(), new Date())}.`}
    </p>
  )
}
