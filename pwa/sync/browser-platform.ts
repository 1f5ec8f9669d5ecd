import { track } from '#pwa/lib/track.ts'
import { watchResponse } from '#pwa/lib/weak-signal.ts'
import type { Platform } from './platform.ts'

/** The tags the browser wakes the service worker with when there's signal again: for ticks and forms, and for kept videos. */
export const backgroundSyncTag = 'alliance-outbox'
export const shelfSyncTag = 'alliance-shelf'

export function createBrowserPlatform(): Platform {
  return {
    fetch: (path, init) => watchResponse(init, fetch(path, init)),
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
    requestBackgroundSync: () => void requestBackgroundSync(backgroundSyncTag),
    // The service worker may send the tick, and it has no page.
    countCompletion: (videoName) => track({ name: 'video_complete', videoName }, '/members'),
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

/** Background Sync isn't a standard yet, so TypeScript has no type for it. */
type Registration = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }

export async function requestBackgroundSync(tag: string): Promise<void> {
  try {
    const registration: Registration | undefined = await navigator.serviceWorker?.getRegistration()
    await registration?.sync?.register(tag)
  } catch {
    // Denied by the browser or the person: then it's done while the app is open, as on phones without it.
  }
}

/** Asks the browser never to clear this storage on its own. A refusal costs nothing, since the server has the truth. */
export async function requestPersistentStorage(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false
}
