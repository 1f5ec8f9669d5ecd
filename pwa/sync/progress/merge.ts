import type { SyncResponse } from '#shared/contract/progress.ts'
import { lowered, seenAfter } from '#shared/rules/progress.ts'
import { settle } from './outbox.ts'
import { showAll } from './progress-rows.ts'
import { changeFlush, type MemberStore, type OutboxEntry, readClock, unanswered } from './store.ts'

/**
 * Takes an answer in, in one transaction: what was sent is deleted or set aside, the server's rows replace ours under
 * what still waits, and no stamp, made or seen, stays further ahead than the limit. `offset` is the clock's new one.
 */
export async function mergeAnswer(
  store: MemberStore,
  sent: readonly OutboxEntry[],
  answer: SyncResponse,
  offset: number,
): Promise<void> {
  const { dexie, progress, outbox, meta } = store
  const serverTime = Date.parse(answer.serverTime)
  const limit = lowered(Number.POSITIVE_INFINITY, serverTime)
  const refusals = new Map(answer.rejected.map(({ id, code, message }) => [id, { code, message }]))
  await dexie.transaction('rw', progress, outbox, meta, async () => {
    const waiting = await settle(store, { sent, refusals }, await unanswered(store))
    await outbox.where('at').above(limit).modify({ at: limit })
    const shown = waiting.map((entry) => ({ ...entry, at: lowered(entry.at, serverTime) }))
    await showAll(store, answer.items, shown)
    const clock = await readClock(store)
    const answered = answer.items.map(({ at, counter }) => ({ at: Date.parse(at), counter }))
    await meta.put({ ...clock, ...seenAfter(clock, answered, serverTime), offset })
    const healthy = {
      isSending: false,
      paused: null,
      attempts: 0,
      retryAt: null,
      isWaitAsked: false,
      isUnreachable: false,
    }
    await changeFlush(store, { ...healthy, lastSyncedAt: answer.serverTime })
  })
}
