import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useEffectEvent } from 'react'
import { AdminSkeleton } from '#pwa/features/admin/kit/admin-skeleton.tsx'
import { useTypedAhead } from '#pwa/features/admin/kit/typed-ahead-store.ts'
import { ProofGate } from '#pwa/features/auth/proof/use-proof.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { gateKey } from '#pwa/lib/query-client.ts'
import { isOffline, RequestError } from '#pwa/lib/request-error.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { SessionUser } from '#shared/contract/auth.ts'

// A chunk of its own: it brings the device’s store.
const LogoutGate = lazy(async () => ({
  default: (await loadFile(() => import('#pwa/features/auth/logout/logout-gate.tsx'))).LogoutGate,
}))

/** `wasOwner`: the gate has been open, so there’s data to forget. */
type Caller = { user: SessionUser | null; wasOwner: boolean }

/** From the server or, offline, from this device’s snapshot. Once the gate has been open, every check asks the server. */
const ownerQuery = (queryClient: QueryClient) =>
  queryOptions({
    queryKey: [gateKey],
    queryFn: async (): Promise<Caller> => {
      const wasOwner = queryClient.getQueryData<Caller>([gateKey])?.wasOwner ?? false
      const callerOf = (user: SessionUser | null) => ({ user, wasOwner: wasOwner || user?.isAdmin === true })
      const { openSession, refreshUser } = await loadFile(() => import('#pwa/features/auth/session-store.ts'))
      const session = await openSession(queryClient)
      try {
        await refreshUser(session, { isForced: wasOwner, area: 'admin' })
        return callerOf(session.known?.user ?? null)
      } catch (error) {
        const engine = session.sync.engine()
        if (engine === null || !isOffline(error)) throw error
        const { readSnapshot } = await loadFile(() => import('#pwa/sync/progress/snapshots.ts'))
        return callerOf(await readSnapshot(engine.store, 'user', SessionUser))
      }
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: true,
  })

/** Guards the admin. Loads none of its code until the server, or this device, says the caller is an owner. */
export function OwnerGate({ children }: { children: ReactNode }) {
  const { data: caller, error, isPending, isFetching, refetch, ...answered } = useQuery(ownerQuery(useQueryClient()))
  const { navigate } = useRouter()
  useTypedAhead(isPending || caller !== undefined)
  useRefusal(({ code }) => {
    if (code !== 'second_factor_unset') void refetch()
    else navigate({ to: '/members/$place', params: { place: 'sign-in' }, replace: true }).catch(reportError)
  })
  if (isPending) return <Shut />
  if (isLoggedOut(error))
    return <Leave key={answered.errorUpdatedAt} isLoggedOut wasOwner={caller?.wasOwner === true} />
  if (caller === undefined) {
    return (
      <Shut>
        <h1 className="vh">Admin</h1>
        <EmptyState
          level={2}
          title={isOffline(error) ? 'No signal' : 'We couldn’t load the admin'}
          action={
            <>
              <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
                Retry
              </Button>
              <ButtonLink to="/" look="bare" isSmall>
                Back to Site
              </ButtonLink>
            </>
          }
        >
          {isOffline(error) ? 'You’ll need signal for this.' : 'We couldn’t reach the site. Try again in a minute.'}
        </EmptyState>
      </Shut>
    )
  }
  const { user, wasOwner } = caller
  if (!user?.isAdmin || user.isImpersonating)
    return (
      <Leave key={answered.dataUpdatedAt} isLoggedOut={false} wasOwner={wasOwner && user?.isImpersonating !== true} />
    )
  return (
    <Suspense fallback={<Shut />}>
      <LogoutGate shut={<Shut />}>
        {(onLogout) => (
          <OwnerLogoutContext value={onLogout}>
            <ProofGate why={whyProof}>{children}</ProofGate>
          </OwnerLogoutContext>
        )}
      </LogoutGate>
    </Suspense>
  )
}

/** Shown instead of the frame, which has its own `main`. */
const Shut = ({ children = <AdminSkeleton /> }: { children?: ReactNode }) => (
  <main className="wrap" id="main" tabIndex={-1}>
    {children}
  </main>
)

const whyProof =
  'We check it’s you before you move money, email several people, download their details, remove someone, or change access or links.'

/**
 * Goes to the front page, and says why. If the login ended while an owner was working, or another device ended it, goes to the login
 * and back from there.
 */
function Leave({ isLoggedOut, wasOwner }: { isLoggedOut: boolean; wasOwner: boolean }) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const toast = useToast()
  useEffect(() => {
    const leave = async () => {
      const redirect = router.state.location.href
      if (wasOwner) await (await loadFile(() => import('./owner-storage.ts'))).forgetOwner(queryClient, { isLoggedOut })
      const ended = isLoggedOut ? await readEnded(queryClient) : null
      const to = isLoggedOut && (wasOwner || ended) ? '/login' : '/'
      if (to === '/login') {
        await router.navigate({ to, search: { redirect }, replace: true })
        const description = ended ?? 'Log in to get back to where you were.'
        toast({ title: 'You’ve been logged out', description, ...(ended && { duration: 12_000 }) })
      } else {
        await router.navigate({ to, replace: true })
        const logIn = () => void router.navigate({ to: '/login', search: { redirect } }).catch(reportError)
        toast(
          isLoggedOut
            ? {
                title: 'Log in to see that page',
                action: { label: 'Log in', hint: 'Log in from the menu', onPress: logIn },
              }
            : { title: 'Only owners can see that page' },
        )
      }
      // They came back before the navigation finished, so check who they are again.
      if (router.latestLocation.pathname !== to) await queryClient.invalidateQueries({ queryKey: [gateKey] })
    }
    leave().catch(reportError)
  }, [queryClient, router, toast, isLoggedOut, wasOwner])
  return <Shut />
}

/** What this page says about a login that another device ended, which took what there was of it here. */
async function readEnded(queryClient: QueryClient): Promise<string | null> {
  const { openSession, endedText } = await loadFile(() => import('#pwa/features/auth/session-store.ts'))
  return endedText(await openSession(queryClient))
}

const isLoggedOut = (error: Error | null) => error instanceof RequestError && error.code === 'unauthenticated'

/** Set by the gate they came in by. */
export const OwnerLogoutContext = createContext<() => void>(() => window.location.assign('/api/logout'))

export const useOwnerLogout = () => use(OwnerLogoutContext)

const refusals = ['unauthenticated', 'forbidden', 'second_factor_unset']

/** Excludes a wrong password and a request to enter it again: those don’t mean they’ve lost access. */
const isRefusal = (error: unknown): error is RequestError =>
  error instanceof RequestError && refusals.includes(error.code)

/** Calls `onRefused` when any query or mutation is refused, so that the gate checks who’s here again. */
function useRefusal(onRefused: (error: RequestError) => void) {
  const queryClient = useQueryClient()
  const refuse = useEffectEvent(onRefused)
  useEffect(() => {
    const stops = [
      queryClient.getQueryCache().subscribe((event) => {
        const isOfDoor = event.query.queryKey[0] === gateKey
        if (event.type === 'updated' && event.action.type === 'error' && !isOfDoor && isRefusal(event.action.error))
          refuse(event.action.error)
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isRefusal(event.action.error))
          refuse(event.action.error)
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [queryClient])
}
