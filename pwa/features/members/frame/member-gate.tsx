import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { type EndedLogin, endedLoginText } from '#pwa/features/auth/ended-login-store.ts'
import { LogoutGate } from '#pwa/features/auth/logout/logout-gate.tsx'
import { type AuthSession, refreshUser, useSession, useSessionEngine } from '#pwa/features/auth/session-store.ts'
import { SiteBody } from '#pwa/features/chrome/site-body.tsx'
import { UntilWeak } from '#pwa/features/chrome/until-weak.tsx'
import { isLoggedOut, type Refresh, useRefresh } from '#pwa/features/members/stored/use-member-data.ts'
import { useQuestionsAtWork } from '#pwa/features/members/stored/use-questions-at-work.ts'
import { useShelfAtWork } from '#pwa/features/members/stored/use-shelf.ts'
import type { MemberPage } from '#pwa/features/places/member-places.ts'
import { useSiteModeMark } from '#pwa/features/site-mode/site-mode-store.ts'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { deviceStorage, ownPagesKey } from '#pwa/lib/storage.ts'
import { useBackInRange } from '#pwa/lib/use-back-in-range.ts'
import { SyncContext } from '#pwa/sync/hooks.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { MemberFrame } from './member-frame.tsx'
import { Coming } from './members-skeleton.tsx'
import '#pwa/features/members/members.css'
import '#pwa/features/site-mode/site-mode.css'

export type EnteredMember = {
  memberId: string
  session: AuthSession
  userRefresh: Refresh
  onLogout: (isSure?: boolean) => void
}

export type GateProps = {
  page: MemberPage
  /** Its heading until the page shows its own. */
  title: string
  returnTo: string
  /** Shown until the session is open. */
  skeleton: ReactNode
  children: (member: EnteredMember) => ReactNode
}

type OpenProps = GateProps & { session: AuthSession }

/** Wraps every page of the members' area: opens the member's store on this device, or says why it can't. */
export function MemberGate(props: GateProps) {
  const session = useSession()
  useSiteModeMark()
  return session ? (
    <OpenGate session={session} {...props} />
  ) : (
    <MemberFrame page={props.page}>
      <Coming title={props.title}>{props.skeleton}</Coming>
    </MemberFrame>
  )
}

const OpenGate = (props: OpenProps) => (
  <LogoutGate shut={<LoggingOut />}>{(onLogout) => <EnteredGate {...props} onLogout={onLogout} />}</LogoutGate>
)

const LoggingOut = () => (
  <MembersMessage title="Logging out">
    Anything not sent yet is safe on this phone until you log in again.
  </MembersMessage>
)

function EnteredGate({ session, onLogout, children, ...gate }: OpenProps & Pick<EnteredMember, 'onLogout'>) {
  const { page, title, returnTo, skeleton } = gate
  const engine = useSessionEngine(session)
  const user = useUserRefresh(session, engine)
  useShelfAtWork(session, engine)
  useQuestionsAtWork(engine)
  const isOut = isLoggedOut(user)
  useEffect(() => {
    if (isOut) deviceStorage.removeItem(ownPagesKey)
    else if (engine !== null && deviceStorage.getItem(ownPagesKey) === null)
      deviceStorage.setItem(ownPagesKey, String(Date.now()))
  }, [isOut, engine])
  if (isOut)
    return session.ended ? (
      <SignedOut ended={session.ended} redirect={returnTo} />
    ) : (
      <AccessRequired redirect={returnTo} />
    )
  if (engine === null && user.problem) return <LoadFailed refresh={user} />
  return (
    <MemberFrame page={page}>
      {engine === null ? (
        <Coming title={title}>
          <UntilWeak skeleton={skeleton} />
        </Coming>
      ) : (
        <SyncContext value={engine}>
          {children({ memberId: engine.store.memberId, session, userRefresh: user, onLogout })}
        </SyncContext>
      )}
    </MemberFrame>
  )
}

/** Asks the server who's logged in; asks again if another tab ended the session shown here. */
function useUserRefresh(session: AuthSession, engine: Engine | null): Refresh {
  const load = useCallback(
    (options: { isForced: boolean }) => refreshUser(session, { ...options, area: 'members' }),
    [session],
  )
  const refresh = useRefresh(load)
  const last = useRef(engine)
  useEffect(() => {
    if (last.current !== null && engine === null) refresh.retry()
    last.current = engine
  }, [engine, refresh.retry])
  return refresh
}

function LoadFailed({ refresh: { problem, isBusy, retry } }: { refresh: Refresh }) {
  const hasNoSignal = isOffline(problem)
  useBackInRange(hasNoSignal, retry)
  const action = (
    <Button look="line" isSmall icon="sync" isBusy={isBusy} onClick={retry}>
      Retry
    </Button>
  )
  return (
    <MembersMessage title={hasNoSignal ? 'No signal' : 'We couldn’t load the members’ area'} action={action}>
      {hasNoSignal || !problem
        ? 'Open this page once while you’re online. After that it works without signal.'
        : messageOf(problem, 'We couldn’t reach the site. Try again in a minute.')}
    </MembersMessage>
  )
}

/** Long enough to read why the login page opens. */
const readingMs = 2000

/** No one is logged in: says so, then opens the login page, which leads back here. */
function AccessRequired({ redirect }: { redirect: string }) {
  const toast = useToast()
  const navigate = useNavigate()
  useEffect(() => {
    toast({ title: 'Access Required', description: 'Log in to see the members’ area.', tone: 'bad' })
    const timer = setTimeout(() => navigate({ to: '/login', search: { redirect }, replace: true }), readingMs)
    return () => clearTimeout(timer)
  }, [toast, navigate, redirect])
  return (
    <MembersMessage title="Access Required" action={<LogInLink redirect={redirect} />}>
      We’re taking you to the login page.
    </MembersMessage>
  )
}

/** Logged out from elsewhere. The login page doesn't open automatically, so the person can read why first. */
const SignedOut = ({ ended, redirect }: { ended: EndedLogin; redirect: string }) => (
  <MembersMessage title="You’re logged out" action={<LogInLink redirect={redirect} />}>
    {endedLoginText(ended)}
  </MembersMessage>
)

const LogInLink = ({ redirect }: { redirect: string }) => (
  <ButtonLink to="/login" search={{ redirect }} icon="arrow">
    Log in
  </ButtonLink>
)

type MessageProps = { title: string; action?: ReactNode; children?: string }

const MembersMessage = ({ title, action, children }: MessageProps) => (
  <SiteBody>
    <div className="wrap members__blank">
      <h1 className="vh">Members area</h1>
      <EmptyState title={title} level={2} action={action}>
        {children}
      </EmptyState>
    </div>
  </SiteBody>
)
