import { fetchWhileHere, pageLeft, untilAborted, untilPageIsBack } from '#pwa/lib/page-life.ts'
import { deviceStorage, pendingLogoutKey } from '#pwa/lib/storage.ts'
import { track } from '#pwa/lib/track.ts'
import { watchResponse } from '#pwa/lib/weak-signal.ts'
import type { Locks, Platform } from './platform.ts'

/** The tags the browser wakes the service worker with when there's signal again: for ticks and forms, and for kept videos. */
export const backgroundSyncTag = 'alliance-outbox'
export const shelfSyncTag = 'alliance-shelf'

export function createBrowserPlatform(): Platform {
  return {
    fetch: (path, init) => fetchWhileHere(init, () => watchResponse(init, fetch(path, init))),
    wall: () => Date.now(),
    monotonic: () => performance.now(),
    random: () => Math.random(),
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    // Browsers have Web Locks on https and localhost alone. Elsewhere two tabs may send the same, which the server takes once.
    locks: { request: 'locks' in navigator ? requestLock : (_name, { signal }, run) => run(signal) },
    isOnline: () => navigator.onLine,
    onWake,
    requestBackgroundSync: () => void requestBackgroundSync(backgroundSyncTag),
    // The service worker may send the tick, and it has no page.
    countCompletion: (videoName) => track({ name: 'video_complete', videoName }, '/members'),
    report: (error) => reportError(error),
    subtle: globalThis.crypto.subtle ?? null,
    database: {},
    storage: deviceStorage,
    mayOweLogout: () => !deviceStorage.isAvailable() || deviceStorage.getItem(pendingLogoutKey) !== null,
  }
}

/** A page that's left would keep its lock, and be given those it waits for. So it lets go of all, and asks again once it's back. */
const requestLock: Locks['request'] = async (name, { signal }, run) => {
  for (;;) {
    await untilPageIsBack()
    const lost = pageLeft()
    let work: Promise<void> | undefined
    const begin = () => {
      work = run(lost)
      return Promise.race([work, untilAborted(lost)])
    }
    try {
      await navigator.locks.request(name, { signal: AbortSignal.any([signal, lost]) }, begin)
    } catch (error) {
      if (work !== undefined || signal.aborted || !lost.aborted) throw error
    }
    if (work !== undefined) return work
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
