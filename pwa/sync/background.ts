import { createFormQueue } from '#pwa/sync/forms/queue.ts'
import { createEngine } from '#pwa/sync/progress/engine.ts'
import { openMemberStore } from '#pwa/sync/progress/store.ts'
import { openDeviceStore, readSession } from '#pwa/sync/session/device-store.ts'
import { postLogout } from '#pwa/sync/session/leave.ts'
import { createBrowserPlatform } from './browser-platform.ts'
import type { Platform } from './platform.ts'

/**
 * What the service worker does when the browser wakes it: sends the ticks and the forms that wait. Rejects while
 * something is left to send, so that the browser tries again.
 */
export async function flushFromServiceWorker(platform: Platform = createBrowserPlatform()): Promise<void> {
  const ends = await Promise.allSettled([flushTicks(platform), flushForms(platform)])
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

async function flushForms(platform: Platform): Promise<void> {
  const queue = createFormQueue(platform)
  try {
    if ((await queue.flush()) !== 'done') throw new Error('Not every form could be sent yet.')
  } finally {
    queue.stop()
  }
}

/** An owed logout goes first, and alone: the next page finishes it. */
async function flushTicks(platform: Platform): Promise<void> {
  const device = openDeviceStore(platform.database)
  try {
    const { memberId, isLogoutOwed } = await readSession(device)
    if (isLogoutOwed) {
      if (!(await postLogout(platform))) throw new Error('The logout has not reached the server yet.')
      return
    }
    const row = memberId === null ? undefined : await device.stores.get(memberId)
    if (row && !row.isReadOnly) await flushStore(row.memberId, platform)
  } finally {
    device.dexie.close()
  }
}

async function flushStore(memberId: string, platform: Platform): Promise<void> {
  const store = openMemberStore(memberId, platform.database)
  const engine = createEngine({ store, platform })
  try {
    // A store that no page has set up holds nothing to send.
    if ((await store.meta.get('clock')) === undefined) return
    if ((await engine.syncNow()) === 'later') throw new Error('Not everything could be sent yet.')
  } finally {
    engine.stop()
    store.dexie.close()
  }
}
