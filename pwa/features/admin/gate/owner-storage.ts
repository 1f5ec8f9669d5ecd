import type { QueryClient } from '@tanstack/react-query'
import { openSession } from '#pwa/features/auth/session-store.ts'
import { deleteOwnerWork } from '#pwa/lib/owner-work.ts'
import { isPublicKey } from '#pwa/lib/query-client.ts'
import { readSnapshot, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import { SessionUser } from '#shared/contract/auth.ts'

/**
 * Drops what a former owner was shown, and this device’s record that they’re an owner. Keeps their drafts if they only have to
 * log in again.
 */
export async function forgetOwner(queryClient: QueryClient, { isLoggedOut }: { isLoggedOut: boolean }): Promise<void> {
  if (!isLoggedOut) await deleteOwnerWork()
  queryClient.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => !isPublicKey(queryKey) })
  queryClient.getMutationCache().clear()
  const session = await openSession(queryClient)
  session.known = null
  const store = session.sync.engine()?.store
  const user = store && (await readSnapshot(store, 'user', SessionUser))
  if (store && user?.isAdmin)
    await saveSnapshot(store, 'user', { value: { ...user, isAdmin: false }, savedAt: Date.now() })
  await queryClient.resetQueries({ queryKey: ['current-user'] })
}
