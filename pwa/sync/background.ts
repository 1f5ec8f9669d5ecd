import { browserSurroundings } from './browser.ts'
import { openMemberStore } from './db.ts'
import { openDeviceStore, readSession } from './device.ts'
import { createEngine } from './engine.ts'
import { createFormQueue } from './forms-queue.ts'
import { postLogout } from './leave.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * What the service worker does when the browser wakes it: sends the ticks and the forms that wait. Rejects while
 * something is left to send, so that the browser tries again.
 */
export async function flushFromServiceWorker(around: Surroundings = browserSurroundings()): Promise<void> {
  const ends = await Promise.allSettled([flushTicks(around), flushForms(around)])
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}

async function flushForms(around: Surroundings): Promise<void> {
  const queue = createFormQueue(around)
  try {
    if ((await queue.flush()) !== 'done') throw new Error('Not every form could be sent yet.')
  } finally {
    queue.stop()
  }
}

/** An owed logout goes first, and alone: the next page finishes it. */
async function flushTicks(around: Surroundings): Promise<void> {
  const device = openDeviceStore(around.database)
  try {
    const { memberId, isLogoutOwed } = await readSession(device)
    if (isLogoutOwed) {
      if (!(await postLogout(around))) throw new Error('The logout has not reached the server yet.')
      return
    }
    const row = memberId === null ? undefined : await device.stores.get(memberId)
    if (row && !row.isReadOnly) await flushStore(row.memberId, around)
  } finally {
    device.dexie.close()
  }
}

async function flushStore(memberId: string, around: Surroundings): Promise<void> {
  const store = openMemberStore(memberId, around.database)
  const engine = createEngine({ store, around })
  try {
    // A store that no page has set up holds nothing to send.
    if ((await store.meta.get('clock')) === undefined) return
    if ((await engine.syncNow()) === 'later') throw new Error('Not everything could be sent yet.')
  } finally {
    engine.stop()
    store.dexie.close()
  }
}
