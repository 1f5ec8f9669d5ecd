import { useCallback, useEffect, useRef } from 'react'
import { UnsentFormsDialog, useLogout } from '#pwa/features/auth/logout-dialog.tsx'
import { type AuthSession, refreshUser, useSession, useSessionEngine } from '#pwa/features/auth/session-store.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { SyncContext } from '#pwa/sync/hooks.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import { Button } from '#pwa/ui/button.tsx'
import { AccessRequired } from './access-required.tsx'
import { Blank } from './blank.tsx'
import { MemberArea } from './member-area.tsx'
import { AreaSkeleton } from './member-skeleton.tsx'
import { usePaymentReturn } from './payment-return.ts'
import type { MembersSearch } from './search.ts'
import { type Refresh, saysLoggedOut, useRefresh } from './use-refresh.ts'
import './members.css'

/** The members' area: from this device at once, and renewed behind. */
export function MembersPage({ search }: { search: MembersSearch }) {
  const session = useSession()
  return session ? <Members session={session} search={search} /> : <AreaSkeleton />
}

function Members({ session, search }: { session: AuthSession; search: MembersSearch }) {
  const engine = useSessionEngine(session)
  const who = useWho(session, engine)
  // The router leaves in what our own reading of the address has left out.
  const payment = usePaymentReturn(search.errand ? {} : search)
  const { isLoggingOut, logout, unsent, logOutNow, stay } = useLogout(session)
  const tab = search.tab ?? 'dashboard'
  if (isLoggingOut)
    return <Blank title="Logging out">What waits is kept sealed on this phone until you log in again.</Blank>
  if (saysLoggedOut(who)) return <AccessRequired tab={tab} />
  if (engine === null) return who.problem ? <NotReached who={who} /> : <AreaSkeleton />
  return (
    <SyncContext value={engine}>
      <MemberArea
        key={engine.store.memberId}
        {...{ session, tab, who, payment, onLogout: logout, bankReturn: readBankReturn(search) }}
      />
      {unsent > 0 && <UnsentFormsDialog count={unsent} onStay={stay} onLogout={logOutNow} />}
    </SyncContext>
  )
}

const readBankReturn = ({ errand, redirect_status }: MembersSearch) =>
  errand ? { errand, hasFailed: redirect_status === 'failed' } : null

/** Asks the server who is logged in; once more when another tab has ended what was shown here. */
function useWho(session: AuthSession, engine: Engine | null): Refresh {
  const renew = useCallback(() => refreshUser(session), [session])
  const who = useRefresh(renew)
  const last = useRef(engine)
  useEffect(() => {
    if (last.current !== null && engine === null) who.again()
    last.current = engine
  }, [engine, who.again])
  return who
}

function NotReached({ who: { problem, isBusy, again } }: { who: Refresh }) {
  const isOffline = problem instanceof RequestError && problem.code === 'offline'
  const retry = (
    <Button look="line" isSmall icon="sync" isBusy={isBusy} onClick={again}>
      Retry
    </Button>
  )
  return (
    <Blank title={isOffline ? 'No signal' : 'The members area could not be loaded'} action={retry}>
      {isOffline || !problem
        ? 'Open this page once with signal. From then on it works without.'
        : messageOf(problem, 'The site did not answer. Please try again in a minute.')}
    </Blank>
  )
}
