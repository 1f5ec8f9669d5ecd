import { deviceStorage, tabStorage } from '#pwa/lib/storage.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { type MemberStore, openMemberStore } from '#pwa/sync/progress/store.ts'
import { type Sealer, sealStore } from './seal.ts'

/** How long other tabs may take to let go of a store that is already empty. */
const deletionTimeoutMs = 2_000
const logoutTimeoutMs = 10_000

/** Seals what is pending and wipes the stores of everybody but `stays`. May run again after a crash at any point. */
export async function leaveStores(sealer: Sealer, stays: string | null): Promise<number> {
  const { device, platform } = sealer
  const leaving = (await device.stores.toArray()).filter(({ memberId }) => memberId !== stays)
  for (const { memberId, isReadOnly } of leaving) {
    const store = openMemberStore(memberId, platform.database)
    if (!isReadOnly) await sealStore(sealer, store)
    await wipeStore(sealer, store)
  }
  return leaving.length
}

/**
 * Empties the store, then deletes it. Where another tab, or a slow phone, takes too long over that, the logout goes on: the store
 * is empty and closed, and is forgotten once it has gone, or deleted at the next start.
 */
async function wipeStore({ device, platform }: Sealer, { dexie, meta, memberId }: MemberStore): Promise<void> {
  await dexie.transaction('rw', dexie.tables, async () => {
    for (const table of dexie.tables) await table.clear()
    await meta.put({ key: 'closed' })
  })
  const { promise: timeout, resolve: goOn } = Promise.withResolvers<void>()
  const cancel = platform.after(deletionTimeoutMs, goOn)
  const deleted = dexie.delete().then(() => device.stores.delete(memberId))
  // The page may have closed the device's own database by the time a late deletion is through: the next start does it again.
  deleted.catch(() => {})
  await Promise.race([deleted, timeout])
  cancel()
}

/** Ends the session at the server. A 401 means that it has ended already; a Wi-Fi sign-in page proves nothing. */
export async function postLogout(platform: Platform): Promise<boolean> {
  const request = new AbortController()
  const cancel = platform.after(logoutTimeoutMs, () => request.abort())
  try {
    const init = { method: 'POST', credentials: 'include', redirect: 'error', cache: 'no-store' } as const
    const { ok, status, headers } = await platform.fetch('/api/auth/logout', { ...init, signal: request.signal })
    return (ok || status === 401) && !(headers.get('content-type') ?? '').startsWith('text/html')
  } catch {
    // No signal: still pending.
    return false
  } finally {
    cancel()
  }
}

/** This cache, and responses of the API in any other, are deleted at logout. */
export const personalCacheName = 'alliance-personal'

export type TraceWiperParts = {
  /** Whether this key of local storage holds nothing about the person who leaves. */
  isKeyRetained: (key: string) => boolean
  /** Clears memory, from which it would be written back, and other stores. */
  clearMemory: () => Promise<void>
}

/** Deletes what this device stores of a person outside their member store. */
export function createTraceWiper({ isKeyRetained, clearMemory }: TraceWiperParts): () => Promise<void> {
  return async () => {
    await clearMemory()
    for (const key of deviceStorage.keys()) if (!isKeyRetained(key)) deviceStorage.removeItem(key)
    for (const key of tabStorage.keys()) tabStorage.removeItem(key)
    await wipeCaches()
  }
}

async function wipeCaches(): Promise<void> {
  if (!('caches' in globalThis)) return
  await caches.delete(personalCacheName)
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      if (new URL(request.url).pathname.startsWith('/api/')) await cache.delete(request)
    }
  }
}
