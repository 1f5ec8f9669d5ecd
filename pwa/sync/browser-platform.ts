import { deviceStorage, tabStorage } from '#pwa/lib/storage.ts'
import type { SessionParts } from '#pwa/sync/session/session.ts'
import type { Platform } from './platform.ts'

/** The tag under which the browser wakes the service worker when there is signal again. */
export const backgroundSyncTag = 'alliance-outbox'

/** The page or the service worker that this runs in. */
export function createBrowserPlatform(): Platform {
  return {
    fetch: (path, init) => fetch(path, init),
    wall: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => Math.random(),
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    locks:
      'locks' in navigator ? { request: (name, options, run) => navigator.locks.request(name, options, run) } : null,
    isOnline: () => navigator.onLine,
    onWake,
    requestBackgroundSync: () => void requestBackgroundSync(),
    report: (error) => reportError(error),
    subtle: globalThis.crypto.subtle ?? null,
    database: {},
  }
}

function onWake(wake: (reason: 'online' | 'visible') => void): () => void {
  const online = () => wake('online')
  const visible = () => {
    if (document.visibilityState === 'visible') wake('visible')
  }
  globalThis.addEventListener('online', online)
  globalThis.document?.addEventListener('visibilitychange', visible)
  return () => {
    globalThis.removeEventListener('online', online)
    globalThis.document?.removeEventListener('visibilitychange', visible)
  }
}

type SyncRegistration = { sync: { register(tag: string): Promise<void> } }
/** Background Sync is no standard yet, and no type of the library either. */
const hasSync = (registration: object): registration is SyncRegistration => 'sync' in registration

async function requestBackgroundSync(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    if (registration && hasSync(registration)) await registration.sync.register(backgroundSyncTag)
  } catch {
    // Refused by the browser or the person: the queue goes out while the app is open, as on phones without it.
  }
}

/** Entries of this cache, and answers of the API in any other, go when a person leaves. */
export const personalCacheName = 'alliance-personal'

export type TraceKeeping = {
  /** Whether this key of local storage says nothing about the person who leaves. */
  keeps: (key: string) => boolean
  /** Forgets what is in memory, or it would be written back, and in stores of its own. */
  forget: () => Promise<void>
}

/** Forgets what is kept of a person outside his store. */
export function createTraceWiper({ keeps, forget }: TraceKeeping): SessionParts['wipeTraces'] {
  return async () => {
    await forget()
    for (const key of deviceStorage.keys()) if (!keeps(key)) deviceStorage.removeItem(key)
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

/** Asks the browser not to clear this storage by itself; a no costs nothing, since the server is the truth. */
export async function askToKeepStorage(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false
}
