import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { SessionUser } from '#shared/contract/auth.ts'
import { AdminSkeleton } from './admin-skeleton.tsx'
import { ProofContext, useProofQuestion } from './use-proof.ts'

const ProofDialog = lazy(() => import('./proof-dialog.tsx'))

/** Who is here, as the server says; without signal, as this device knows. Nothing but the owner's name is stored on it. */
const ownerQuery = (queryClient: QueryClient) =>
  queryOptions({
    queryKey: ['owner'],
    queryFn: async () => {
      const { openSession, refreshUser } = await import('#pwa/features/auth/session-store.ts')
      const session = await openSession(queryClient)
      try {
        await refreshUser(session)
        return session.known?.user ?? null
      } catch (error) {
        const engine = session.sync.engine()
        if (engine === null || !isOffline(error)) throw error
        const { readSnapshot } = await import('#pwa/sync/progress/snapshots.ts')
        return (await readSnapshot(engine.store, 'user', SessionUser)) ?? null
      }
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: true,
  })

/** The door of the owners' browser: nothing of it is loaded before the server, or this device, has said that an owner is here. */
export function OwnerDoor({ children }: { children: ReactNode }) {
  const { data: user, error, isPending, isFetching, refetch } = useQuery(ownerQuery(useQueryClient()))
  if (isPending) return <AdminSkeleton />
  if (user === undefined && !isLoggedOut(error)) {
    return (
      <div className="wrap">
        <h1 className="vh">Admin</h1>
        <EmptyState
          level={2}
          title={isOffline(error) ? 'No signal' : 'The admin could not be loaded'}
          action={
            <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
              Retry
            </Button>
          }
        >
          {isOffline(error) ? 'The admin needs signal.' : 'The site did not answer. Please try again in a minute.'}
        </EmptyState>
      </div>
    )
  }
  if (!user?.isAdmin || user.isImpersonating) return <ToFrontPage />
  return (
    <Suspense fallback={<AdminSkeleton />}>
      <ProofDoor>{children}</ProofDoor>
    </Suspense>
  )
}

/** Asks for the owner's password where what they do needs it again. */
function ProofDoor({ children }: { children: ReactNode }) {
  const { prove, answer } = useProofQuestion()
  return (
    <ProofContext value={prove}>
      {children}
      {answer && (
        <Suspense>
          <ProofDialog onAnswer={answer} />
        </Suspense>
      )}
    </ProofContext>
  )
}

function ToFrontPage() {
  const navigate = useNavigate()
  useEffect(() => {
    navigate({ to: '/', replace: true }).catch(reportError)
  }, [navigate])
  return <AdminSkeleton />
}

export const isOffline = (error: unknown) => error instanceof RequestError && error.code === 'offline'
const isLoggedOut = (error: Error | null) => error instanceof RequestError && error.code === 'unauthenticated'
