import { createBrowserPlatform } from './browser-platform.ts'
import { createFormQueue } from './forms/queue.ts'
import type { Platform } from './platform.ts'
import { createEngine, type Engine } from './progress/engine.ts'
import { readStored } from './progress/status.ts'
import { openMemberStore } from './progress/store.ts'
import { createQuestions } from './questions/engine.ts'
import { readNextWait } from './questions/sending.ts'
import { followingQueues } from './queues.ts'
import { readRoom } from './room.ts'
import { openDeviceStore, readSession } from './session/device-store.ts'
import { postLogout } from './session/wipe.ts'

/**
 * Runs when the browser wakes the service worker: sends the pending ticks, questions and forms. Rejects while there's something left to send,
 * so that the browser tries again.
 */
export async function flushFromServiceWorker(platform: Platform = createBrowserPlatform()): Promise<void> {
  const results = await Promise.allSettled([flushTicks(platform), flushForms(platform)])
  const failed = results.find((result) => result.status === 'rejected')
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

/** Sends a pending logout first, and nothing else: the next page finishes it. */
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
  const engine = createEngine({ store, platform, following: followingQueues })
  try {
    // A store no page has set up has nothing to send.
    if ((await store.meta.get('clock')) === undefined) return
    await engine.syncNow()
    const { pending, sending, paused } = (await readStored(store)).sync
    const others = await Promise.all(followingQueues.map(({ waitMs }) => waitMs(store, platform.wall())))
    const outcome = await flushQuestions(engine)
    // Also rejects if we didn't try yet, such as before the server's Retry-After. A pause needs a person, so it doesn't.
    const isLeft = pending + sending > 0 || others.some((wait) => wait !== null)
    if (isLeft && paused === null) throw new Error('Not everything could be sent yet.')
    if (outcome === 'later') throw new Error('Not every question could be sent yet.')
  } finally {
    engine.stop()
    store.dexie.close()
  }
}

async function flushQuestions(engine: Engine): Promise<'done' | 'paused' | 'later'> {
  const { store } = engine
  if ((await readNextWait(store)) === null) return 'done'
  const outcome = await createQuestions({ engine, room: readRoom }).syncNow()
  if (outcome === 'paused') return 'paused'
  return (await readNextWait(store)) === null ? 'done' : 'later'
}
