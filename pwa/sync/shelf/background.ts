import { flushFromServiceWorker } from '#pwa/sync/background.ts'
import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { readStoreLock } from '#pwa/sync/progress/phone-lock.ts'
import { openMemberStore } from '#pwa/sync/progress/store.ts'
import { findMember, openDeviceStore } from '#pwa/sync/session/device-store.ts'
import { createWorkerDevice } from './browser-device.ts'
import type { ShelfDevice } from './device.ts'
import { readPause } from './fetcher.ts'
import type { Refresher } from './refresh.ts'
import { fetchOnce } from './shelf.ts'
import { isMissing, readShelfRow } from './store.ts'

/** Chromium ends a worker's event after three minutes. */
const longestMs = 150_000

/**
 * Runs when the browser wakes the service worker: goes on with what the member keeps, once no page does. Rejects while something is
 * missing that time will bring, so that the browser tries again.
 */
export async function fetchFromServiceWorker(
  stopping: AbortSignal,
  platform: Platform = createBrowserPlatform(),
  device: ShelfDevice = createWorkerDevice(platform),
): Promise<void> {
  // Ticks and forms go first, and videos wait for them.
  await flushFromServiceWorker(platform).catch(() => {})
  const devices = openDeviceStore(platform.database)
  const member = await findMember(devices).finally(() => devices.dexie.close())
  if (member === undefined) return
  const store = openMemberStore(member.memberId, platform.database)
  const cut = new AbortController()
  const cancel = platform.after(longestMs, () => cut.abort())
  const fetcher: Refresher = { store, platform, device, signal: AbortSignal.any([stopping, cut.signal]) }
  try {
    if ((await readStoreLock(store, platform.wall())).isOpen) await fetchAndCheck(fetcher)
  } finally {
    cancel()
    store.dexie.close()
  }
}

async function fetchAndCheck(fetcher: Refresher): Promise<void> {
  const { store, signal } = fetcher
  if (!(await isMissing(store))) return
  await fetchOnce(fetcher).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  if (!(await isMissing(store))) return
  const pause = (await readPause(fetcher)) ?? (await readShelfRow(store)).pause
  // These wait for the member.
  if (pause !== 'room' && pause !== 'limit' && pause !== 'ask') throw new Error('Not every kept video is whole yet.')
}
