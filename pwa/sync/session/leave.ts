import type { Platform } from '#pwa/sync/platform.ts'
import { type MemberStore, openMemberStore } from '#pwa/sync/progress/store.ts'
import { type Sealer, sealStore } from './seal.ts'

/** How long other tabs may take to let go of a store that is already empty. */
const deletionMs = 2_000
const logoutTimeoutMs = 10_000

/** Longest that a tab is waited for which may never run again. */
const patienceMs = 10_000

/**
 * Entering and leaving happen in one tab at a time, where there are Web Locks: a slow tab that still wipes after a
 * logout must not meet the next login. A tab that was put to sleep over it holds nobody up for good.
 */
export async function inOneTab<Result>(platform: Platform, work: () => Promise<Result>): Promise<Result> {
  const { locks } = platform
  if (locks === null) return work()
  const waiting = new AbortController()
  const cancel = platform.after(patienceMs, () => waiting.abort())
  let begun: Promise<Result> | null = null
  const begin = () => {
    begun ??= work()
    return begun
  }
  try {
    await locks.request('alliance-session', { signal: waiting.signal }, async () => {
      cancel()
      await begin()
    })
  } catch (error) {
    if (!waiting.signal.aborted) throw error
  }
  return begin()
}

/** Seals what waits and wipes the stores of everybody but `stays`. May be run again after a crash at any point. */
export async function leaveStores(sealer: Sealer, stays: string | null): Promise<number> {
  const { device, platform } = sealer
  const leaving = (await device.stores.toArray()).filter(({ memberId }) => memberId !== stays)
  for (const { memberId, isReadOnly } of leaving) {
    const store = openMemberStore(memberId, platform.database)
    if (!isReadOnly) await sealStore(sealer, store)
    if (await wipeStore(store, platform)) await device.stores.delete(memberId)
  }
  return leaving.length
}

/** Empties at once, then deletes. False where another tab still holds it: empty, closed, and deleted at the next start. */
async function wipeStore(store: MemberStore, platform: Platform): Promise<boolean> {
  const { dexie, meta } = store
  await dexie.transaction('rw', dexie.tables, async () => {
    for (const table of dexie.tables) await table.clear()
    await meta.put({ key: 'closed' })
  })
  const late = new Promise<boolean>((resolve) => {
    platform.after(deletionMs, () => resolve(false))
  })
  return Promise.race([dexie.delete().then(() => true), late])
}

/** Ends the session at the server. A 401 says that it is over already; a sign-in page of some Wi-Fi says nothing. */
export async function postLogout(platform: Platform): Promise<boolean> {
  const request = new AbortController()
  const cancel = platform.after(logoutTimeoutMs, () => request.abort())
  try {
    const init = { method: 'POST', credentials: 'include', redirect: 'error', cache: 'no-store' } as const
    const { ok, status, headers } = await platform.fetch('/api/auth/logout', { ...init, signal: request.signal })
    return (ok || status === 401) && !(headers.get('content-type') ?? '').startsWith('text/html')
  } catch {
    // No signal: still owed.
    return false
  } finally {
    cancel()
  }
}
