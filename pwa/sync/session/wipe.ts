import { deviceStorage, tabStorage } from '#pwa/lib/storage.ts'
import type { Locks, Platform } from '#pwa/sync/platform.ts'
import { enterJotted } from '#pwa/sync/progress/jotted.ts'
import { type MemberStore, openMemberStore } from '#pwa/sync/progress/store.ts'
import { wipeKeptFiles, withKeptFiles } from '#pwa/sync/shelf/wipe.ts'
import { type Sealer, sealStore } from './seal.ts'

/** How long other tabs get to let go of a store that's already empty. */
const deletionTimeoutMs = 2_000
const logoutTimeoutMs = 10_000

/** Seals what's pending and wipes the stores of everyone who doesn't stay. Safe to run again after a crash at any point. */
export async function leaveStores(sealer: Sealer, stays: readonly string[]): Promise<number> {
  const { device, platform } = sealer
  const leaving = (await device.stores.toArray()).filter(({ memberId }) => !stays.includes(memberId))
  for (const { memberId, isReadOnly } of leaving) {
    const store = openMemberStore(memberId, platform.database)
    if (!isReadOnly) {
      await enterJotted(store, platform)
      await sealStore(sealer, store)
    }
    await wipeStore(sealer, store)
  }
  return leaving.length
}

/**
 * Empties the store, then deletes it. If another tab or a slow phone takes too long to delete it, the logout continues: the store
 * is empty and closed. We forget it once it's gone, or delete it at the next start.
 */
async function wipeStore({ device, platform }: Sealer, { dexie, meta, memberId }: MemberStore): Promise<void> {
  await dexie.transaction('rw', dexie.tables, async () => {
    for (const table of dexie.tables) await table.clear()
    await meta.put({ key: 'closed' })
  })
  const { promise: timeout, resolve: goOn } = Promise.withResolvers<void>()
  const cancel = platform.after(deletionTimeoutMs, goOn)
  const deleted = dexie.delete().then(() => device.stores.delete(memberId))
  // The page may have closed the device's own database before a late deletion finishes. The next start does it again.
  deleted.catch(() => {})
  await Promise.race([deleted, timeout])
  cancel()
}

/** Ends the session at the server. A 401 means it has already ended; a Wi-Fi sign-in page proves nothing. */
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

/** Logging out deletes this cache, and the API's responses in any other. */
export const personalCacheName = 'alliance-personal'

export type TraceWiperParts = {
  /** Whether this local storage key holds nothing about the person logging out. */
  isKeyRetained: (key: string) => boolean
  /** Clears memory, which could otherwise be written back, and other stores. */
  clearMemory: () => Promise<void>
  locks: Locks | null
}

/** Deletes what's stored about a person outside their member store: local storage, cached responses, kept videos. */
export type WipeTraces = (spared?: { keepsVideos: boolean }) => Promise<void>

export function createTraceWiper({ isKeyRetained, clearMemory, locks }: TraceWiperParts): WipeTraces {
  return async ({ keepsVideos = false } = { keepsVideos: false }) => {
    await clearMemory()
    for (const key of deviceStorage.keys()) if (!isKeyRetained(key)) deviceStorage.removeItem(key)
    for (const key of tabStorage.keys()) tabStorage.removeItem(key)
    await wipeCaches()
    if (!keepsVideos) await withKeptFiles(locks, wipeKeptFiles)
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
