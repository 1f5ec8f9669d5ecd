import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { AdminSkeleton } from '#pwa/features/admin/kit/admin-skeleton.tsx'
import { useTypedAhead } from '#pwa/features/admin/kit/typed-ahead-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { isOffline, RequestError } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { DashboardAccess } from '#shared/contract/auth.ts'

const DashboardFrame = lazy(() => loadFile(() => import('./dashboard-frame.tsx')))

const isRefused = (error: unknown) => error instanceof RequestError && (error.status === 401 || error.status === 403)

const accessQuery = (queryClient: QueryClient) =>
  queryOptions({
    queryKey: ['dashboard-access'],
    queryFn: async () => {
      const { openSession } = await loadFile(() => import('#pwa/features/auth/session-store.ts'))
      const { api } = await openSession(queryClient)
      try {
        return (await parseResponse(DashboardAccess, api.api.admin.dashboard.get())).isAllowed
      } catch (error) {
        if (isRefused(error)) return false
        throw error
      }
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: true,
  })

/** Only for the account in `SIMPLE_ADMIN_EMAIL`. No one else loads its code. */
export function DashboardPage({ tab }: { tab: string | undefined }) {
  const { data: isAllowed, error, isFetching, refetch } = useQuery(accessQuery(useQueryClient()))
  useTypedAhead(isAllowed ?? !error)
  if (isAllowed)
    return (
      <Suspense fallback={<AdminSkeleton />}>
        <DashboardFrame tab={tab} />
      </Suspense>
    )
  if (isAllowed === undefined && !error) return <AdminSkeleton />
  return (
    <div className="wrap">
      <h1 className="vh">Dashboard</h1>
      {isAllowed === false ? (
        <EmptyState level={2} title="Access Denied">
          You don't have permission to access this page.
        </EmptyState>
      ) : (
        <EmptyState
          level={2}
          title={isOffline(error) ? 'No signal' : 'We couldn’t load the dashboard'}
          action={
            <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
              Retry
            </Button>
          }
        >
          {isOffline(error) ? 'You’ll need signal for this.' : 'We couldn’t reach the site. Try again in a minute.'}
        </EmptyState>
      )}
    </div>
  )
}
