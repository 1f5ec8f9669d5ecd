import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import { nextSeen } from '#shared/rules/progress.ts'
import type { PhoneClock } from './phone-clock.ts'
import { showOne, waitingRow } from './progress-rows.ts'
import {
  changeFlush,
  entriesIn,
  isClosed,
  type MemberStore,
  type NewEntry,
  type OutboxEntry,
  readClock,
  unanswered,
} from './store.ts'

export type Tick = { videoId: string; completed: boolean }
export type Refusal = { code: string; message: string }

/**
 * One transaction: the row that the list shows, the change that will be sent, and the clock that stamped it. A change
 * of the same video that was refused is settled by it.
 */
export async function recordTick(
  store: MemberStore,
  clock: PhoneClock,
  randomBytes: (count: number) => Uint8Array,
  { videoId, completed }: Tick,
): Promise<void> {
  const random = randomBytes(idRandomBytes)
  await store.dexie.transaction('rw', store.progress, store.outbox, store.meta, async () => {
    if (await isClosed(store)) throw new Error('This member has been logged out here.')
    const before = await readClock(store)
    const seen = nextSeen(before, clock.now(before.offset))
    const entry: NewEntry = { id: uuidV7(seen.at, random), videoId, completed, ...seen, state: 'waiting' }
    const server = (await store.progress.get(videoId))?.server ?? null
    await entriesIn(store, 'refused')
      .filter((refused) => refused.videoId === videoId)
      .delete()
    await store.meta.put({ ...before, ...seen })
    await store.outbox.add(entry)
    await store.progress.put(waitingRow(entry, server))
  })
}

export type Claim = { batch: OutboxEntry[]; deviceId: string }

/**
 * The next batch, marked before it is sent; null where there is nothing to ask for. A batch whose answer never came is
 * taken up again as it was, so that a repeat carries the same changes.
 */
export async function claimBatch(store: MemberStore, limit: number, mustPull: boolean): Promise<Claim | null> {
  return store.dexie.transaction('rw', store.outbox, store.meta, async () => {
    const unfinished = await entriesIn(store, 'sending').toArray()
    const batch = unfinished.length > 0 ? unfinished : await entriesIn(store, 'waiting').limit(limit).toArray()
    if (batch !== unfinished) await mark(store, batch, 'sending')
    const isAsking = batch.length > 0 || mustPull
    await changeFlush(store, { isSending: isAsking })
    return isAsking ? { batch, deviceId: (await readClock(store)).deviceId } : null
  })
}

/** Puts all but the first `keep` of the batch back in the queue. */
export async function shrinkBatch(store: MemberStore, keep: number): Promise<void> {
  await store.dexie.transaction('rw', store.outbox, async () => {
    await mark(store, await entriesIn(store, 'sending').offset(keep).toArray(), 'waiting')
  })
}

const mark = ({ outbox }: MemberStore, entries: readonly OutboxEntry[], state: OutboxEntry['state']) =>
  outbox.bulkPut(entries.map((entry) => ({ ...entry, state })))

/** A batch that the server has answered for, and what it refused of it. */
export type Answered = { sent: readonly OutboxEntry[]; refusals: ReadonlyMap<string | null, Refusal> }

/**
 * Deletes what was taken and sets aside what was refused, unless a later change of the same video has replaced it.
 * `open` is everything unanswered, the batch included; what is left of it is returned.
 */
export async function settle(store: MemberStore, { sent, refusals }: Answered, open: readonly OutboxEntry[]) {
  const newest = new Map(open.map(({ videoId, seq }) => [videoId, seq]))
  const settled = new Set(sent.map(({ seq }) => seq))
  const aside = sent.flatMap((entry) => {
    const refusal = refusals.get(entry.id)
    const isReplaced = newest.get(entry.videoId) !== entry.seq
    return refusal === undefined || isReplaced ? [] : [{ ...entry, state: 'refused' as const, refusal }]
  })
  await store.outbox.bulkDelete([...settled])
  await store.outbox.bulkPut(aside)
  return open.filter(({ seq }) => !settled.has(seq))
}

/** Sets one change aside that the server would not take even alone. */
export async function refuse(store: MemberStore, entry: OutboxEntry, refusal: Refusal): Promise<void> {
  await store.dexie.transaction('rw', store.outbox, store.progress, async () => {
    const answered = { sent: [entry], refusals: new Map([[entry.id, refusal]]) }
    await showOne(store, entry.videoId, await settle(store, answered, await unanswered(store)))
  })
}
