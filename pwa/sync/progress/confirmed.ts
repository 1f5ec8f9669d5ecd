import type { SyncResponse } from '#shared/contract/progress.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { isNewerStamp, storedAsOf } from '#shared/rules/progress-merge.ts'
import { type ConfirmedTick, type MemberStore, type OutboxEntry, readClock } from './store.ts'

/** How long a confirmed tick is kept, and how many of them. No site is restored from a backup older than that in earnest. */
const keptMs = 30 * dayMs
const keptAtMost = 500

/** Keeps what the server has just confirmed, and lets go of the oldest. */
export async function keepConfirmed(
  { confirmed }: MemberStore,
  accepted: readonly OutboxEntry[],
  { generation, serverTime }: { generation: string | null; serverTime: number },
): Promise<void> {
  const kept = accepted.map(
    ({ seq, id, videoId, completed, at, counter }): ConfirmedTick => ({
      seq,
      id,
      videoId,
      completed,
      at,
      counter,
      confirmedAt: serverTime,
      generation,
    }),
  )
  await confirmed.bulkPut(kept)
  await confirmed
    .where('confirmedAt')
    .below(serverTime - keptMs)
    .delete()
  const tooMany = (await confirmed.count()) - keptAtMost
  if (tooMany > 0) await confirmed.limit(tooMany).delete()
}

/**
 * Puts the ticks another copy of the server confirmed back into the queue, in their old places. The server applies each id once, so
 * one it still has is harmless. One whose row here is as new or newer isn't sent, but stays kept: the server may go back further
 * still, to a copy without that row. Returns whether any is in the queue again.
 */
export async function takeBackConfirmed(
  store: MemberStore,
  { generation: named, items, serverTime }: Pick<SyncResponse, 'generation' | 'items' | 'serverTime'>,
): Promise<boolean> {
  const { confirmed, outbox } = store
  const generation = named ?? null
  const lost = await confirmed.filter((tick) => tick.generation !== generation).toArray()
  if (lost.length === 0) return false
  const [{ deviceId }, now] = [await readClock(store), Date.parse(serverTime)]
  const rows = new Map(items.map((item) => [item.videoId, { ...item, at: Date.parse(item.at), changeId: '' }]))
  const queued = new Set((await outbox.toArray()).map(({ id }) => id))
  const isMissing = (tick: ConfirmedTick) => {
    const row = rows.get(tick.videoId)
    return isNewerStamp({ ...tick, deviceId, changeId: '' }, row ? storedAsOf(row, tick.at, now) : null)
  }
  const [missing, held] = [lost.filter(isMissing), lost.filter((tick) => !isMissing(tick))]
  await confirmed.bulkDelete(missing.map(({ seq }) => seq))
  await confirmed.bulkPut(held.map((tick) => ({ ...tick, generation })))
  const entries = missing
    .filter(({ id }) => !queued.has(id))
    .map(({ confirmedAt: _, generation: __, ...tick }): OutboxEntry => ({ ...tick, state: 'waiting', isRepeat: true }))
  await outbox.bulkPut(entries)
  return entries.length > 0
}
