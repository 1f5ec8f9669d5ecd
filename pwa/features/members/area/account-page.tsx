import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import { type EndedLogin, endedLoginText } from '#pwa/features/auth/ended-login-store.ts'
import { LogoutGate, LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { ProofGate } from '#pwa/features/auth/proof/use-proof.tsx'
import { openSession, refreshUser, useSession } from '#pwa/features/auth/session-store.ts'
import { UnknownPage } from '#pwa/features/chrome/not-found-page.tsx'
import { SiteBody } from '#pwa/features/chrome/site-body.tsx'
import { UntilWeak } from '#pwa/features/chrome/until-weak.tsx'
import { MemberFrame } from '#pwa/features/members/frame/member-frame.tsx'
import { type AccountPlace, findPlace } from '#pwa/features/places/account-places.ts'
import type { AccountProps } from '#pwa/features/profile/account/account-section.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import '#pwa/features/profile/profile.css'

const sections: Record<AccountPlace, React.ComponentType<AccountProps>> = {
  'sign-in': lazy(() => loadFile(() => import('#pwa/features/profile/sign-in/sign-in.tsx'))),
  devices: lazy(() => loadFile(() => import('#pwa/features/profile/account/devices.tsx'))),
  activity: lazy(() => loadFile(() => import('#pwa/features/profile/account/activity.tsx'))),
  data: lazy(() => loadFile(() => import('#pwa/features/profile/account/data.tsx'))),
  notices: lazy(() => loadFile(() => import('#pwa/features/notices/notices-section.tsx'))),
  mails: lazy(() => loadFile(() => import('#pwa/features/profile/mail-choices.tsx'))),
}

/** Who's logged in here, as the server says. These pages show the server's data, and the phone stores none of it. */
function useAccountHolder() {
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: ['account-holder'],
    queryFn: async (): Promise<AccountProps> => {
      const session = await openSession(queryClient)
      await refreshUser(session, { isForced: true, area: 'members' })
      const user = session.known?.user
      if (!user) throw new RequestError({ status: 401, code: 'unauthenticated', message: '401: Logged out' })
      return { session, user }
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: true,
  })
}

/** When another device ends the login, the response about who's here is gone too, and with it what would re-render this page. */
function useEndedLogin(): EndedLogin | null {
  const session = useSession()
  const subscribe = session?.sync.onChange ?? neverChanges
  const read = () => session?.ended ?? null
  return useSyncExternalStore(subscribe, read, read)
}

const neverChanges = () => () => {}

/** A page below Profile, which shows what only the server has. */
const AccountPage = ({ place }: { place: string }) => (
  <LogoutGate
    shut={
      <SiteBody>
        <div className="wrap account">
          <h1 className="account__title">Logging out…</h1>
        </div>
      </SiteBody>
    }
  >
    {(onLogout) => <OwnPage place={place} onLogout={onLogout} />}
  </LogoutGate>
)

function OwnPage({ place, onLogout }: { place: string; onLogout: () => void }) {
  const known = findPlace(place)
  const { data, error, isFetching, refetch } = useAccountHolder()
  const ended = useEndedLogin()
  if (!known)
    return (
      <SiteBody>
        <UnknownPage />
      </SiteBody>
    )
  const Section = sections[known.place]
  const isOut = ended || codeOf(error) === 'unauthenticated'
  // Without signal we can't know who is here, but they can still log out.
  const mayBeIn = !isOut && (data !== undefined || error !== null)
  const page = (
    <div className="wrap account">
      <nav className="account__back" aria-label="Account">
        <TextLink isTap to="/members" search={{ tab: 'profile' }}>
          Back to Profile
        </TextLink>
        {mayBeIn && <LogoutLink onLogout={onLogout} />}
      </nav>
      <h1 className="account__title">{known.title}</h1>
      {ended ? (
        <Empty title="You’re logged out" text={endedLoginText(ended)} action={<LogInLink place={place} />} />
      ) : data ? (
        <ProofGate why="This is private, so we’re checking it’s you.">
          <Suspense fallback={<Skeleton size="block" />}>
            <Section {...data} />
          </Suspense>
        </ProofGate>
      ) : error ? (
        <NotShown place={place} error={error} isFetching={isFetching} onRetry={() => refetch()} />
      ) : (
        <UntilWeak skeleton={<Loading />} />
      )}
    </div>
  )
  return isOut ? <SiteBody>{page}</SiteBody> : <MemberFrame page="profile">{page}</MemberFrame>
}

const Loading = () => (
  <div role="status" aria-label="Loading">
    <Skeleton size="block" />
  </div>
)

const codeOf = (error: Error | null) => (error instanceof RequestError ? error.code : null)

const LogInLink = ({ place }: { place: string }) => (
  <ButtonLink to="/login" search={{ redirect: `/members/${place}` }} icon="arrow">
    Log in
  </ButtonLink>
)

type NotShownProps = { place: string; error: Error; isFetching: boolean; onRetry: () => void }

function NotShown({ place, error, isFetching, onRetry }: NotShownProps) {
  const code = codeOf(error)
  if (code === 'unauthenticated') {
    const action = <LogInLink place={place} />
    return <Empty title="Access Required" text="Log in to see this." action={action} />
  }
  const retry = (
    <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={onRetry}>
      Retry
    </Button>
  )
  return code === 'offline' ? (
    <Empty
      title="No signal"
      text="You need signal for this page. Your video list and ticks work without it."
      action={retry}
    />
  ) : (
    <Empty title="We couldn’t load this" text="We couldn’t reach the site. Try again in a minute." action={retry} />
  )
}

const Empty = ({ title, text, action }: { title: string; text: string; action: ReactNode }) => (
  <EmptyState title={title} level={2} action={action}>
    {text}
  </EmptyState>
)

export default AccountPage
