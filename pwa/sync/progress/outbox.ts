import type { Platform } from '#pwa/sync/platform.ts'
import { syncBatchLimit } from '#shared/contract/progress.ts'
import { correctedNow, nextPositionAt, nextSeen } from '#shared/rules/progress-merge.ts'
import { pendingRow, refreshRow } from './merge.ts'
import {
  changeFlush,
  entriesIn,
  type FlushRow,
  isClosed,
  type MemberStore,
  type NewEntry,
  type OutboxEntry,
  type PositionRow,
  readClock,
  readFlush,
  readPending,
} from './store.ts'

/** The server's time as this device knows it. */
export type ServerClock = {
  /** `offset` as last stored, ms. */
  now(offset: number): number
  /** Sets the server's time as of now, and returns the offset to store. */
  set(serverTime: number): number
}

export function createServerClock({ wall, monotonic }: Pick<Platform, 'wall' | 'monotonic'>): ServerClock {
  let anchor: { serverTime: number; monotonic: number } | null = null
  return {
    now: (offset) => correctedNow({ wall: wall(), offset, monotonic: monotonic(), anchor }),
    set: (serverTime) => {
      anchor = { serverTime, monotonic: monotonic() }
      return serverTime - wall()
    },
  }
}

/** `age`: ms since it was made. It's more than a moment if the page was left meanwhile. */
export type TickChange = { id: string; videoId: string; completed: boolean; age: () => number }

/**
 * One transaction: the row the list shows, the change to send, and the clock that stamped it. Replaces a refused change of the same
 * video. A change that's here already, from its note, stays as it is.
 */
export async function recordTick(
  store: MemberStore,
  clock: ServerClock,
  { id, videoId, completed, age }: TickChange,
): Promise<void> {
  const { progress, outbox, confirmed, meta } = store
  await store.dexie.transaction('rw', progress, outbox, confirmed, meta, async () => {
    if (await isClosed(store)) throw new Error('This member has been logged out here.')
    const known = await Promise.all([
      outbox.where('id').equals(id).count(),
      confirmed.filter((one) => one.id === id).count(),
    ])
    if (known.some((count) => count > 0)) return
    const before = await readClock(store)
    const seen = nextSeen(before, clock.now(before.offset) - age())
    const entry: NewEntry = { id, videoId, completed, ...seen, state: 'waiting' }
    const server = (await store.progress.get(videoId))?.server ?? null
    await entriesIn(store, 'refused')
      .filter((refused) => refused.videoId === videoId)
      .delete()
    await store.meta.put({ ...before, ...seen })
    await store.outbox.add(entry)
    await store.progress.put(pendingRow(entry, server))
  })
}

export type PositionChange = { videoId: string; seconds: number; age: () => number }

/** A position that waited this long may be older than what another page has stored since. */
const lateMs = 1_000

/** Stores where the member stopped; the next request tells the server. After a logout it does nothing. */
export async function recordPosition(
  store: MemberStore,
  clock: ServerClock,
  { videoId, seconds, age }: PositionChange,
): Promise<void> {
  await store.dexie.transaction('rw', store.positions, store.meta, async () => {
    if (await isClosed(store)) return
    const seen = await store.positions.get(videoId)
    if (seen?.seconds === seconds) return
    const { deviceId, offset } = await readClock(store)
    const made = clock.now(offset) - age()
    if (seen && age() > lateMs && seen.at > made) return
    const at = nextPositionAt(seen?.at ?? null, made)
    await store.positions.put({ videoId, seconds, at, deviceId, isPending: true })
  })
}

/**
 * Discards changes the server hasn't confirmed, so its rows show again. If one arrived after all, it comes back with the next
 * request.
 */
export async function discardChanges(store: MemberStore, ids: readonly string[]): Promise<void> {
  const { dexie, outbox, progress } = store
  await dexie.transaction('rw', outbox, progress, async () => {
    const entries = await outbox.where('id').anyOf(ids).toArray()
    await outbox.bulkDelete(entries.map(({ seq }) => seq))
    const pending = await readPending(store)
    for (const videoId of new Set(entries.map((entry) => entry.videoId))) await refreshRow(store, videoId, pending)
  })
}

/** Discards all waiting and refused changes, and every unsent video position. */
export async function discardEverything(store: MemberStore): Promise<void> {
  const { dexie, outbox, progress, positions, meta } = store
  await dexie.transaction('rw', outbox, progress, positions, meta, async () => {
    await discardChanges(
      store,
      (await outbox.toArray()).map(({ id }) => id),
    )
    await positions.filter(({ isPending }) => isPending).delete()
    // The server's positions were below those, so its rows are no longer complete here.
    await changeFlush(store, { version: undefined })
  })
}

export type Claim = {
  batch: OutboxEntry[]
  positions: PositionRow[]
  deviceId: string
  /** The version of the server's rows on this device. */
  version: string | undefined
}

/** `mustPull`: request the server's rows even if nothing is pending. */
export type Wanted = { limit: number; mustPull: boolean; isDue: (flush: FlushRow) => boolean }

/**
 * The next batch, marked before it's sent. A batch without a response is sent again unchanged, so that a repeat carries the same
 * changes. `done`: there's nothing to request.
 */
export async function claimBatch(
  store: MemberStore,
  { limit, mustPull, isDue }: Wanted,
): Promise<Claim | 'done' | 'skipped'> {
  return store.dexie.transaction('rw', store.outbox, store.positions, store.meta, async () => {
    const flush = await readFlush(store)
    if (!isDue(flush)) {
      // Left by a tab that was killed while sending.
      if (flush.isSending) await changeFlush(store, { isSending: false })
      return 'skipped'
    }
    const unfinished = await entriesIn(store, 'sending').toArray()
    const batch = unfinished.length > 0 ? unfinished : await entriesIn(store, 'waiting').limit(limit).toArray()
    if (batch !== unfinished) await markEntries(store, batch, 'sending')
    const pending = store.positions.filter(({ isPending }) => isPending)
    const positions = await pending.limit(syncBatchLimit).toArray()
    const isSending = batch.length + positions.length > 0 || mustPull
    await changeFlush(store, { isSending })
    if (!isSending) return 'done'
    const { deviceId } = await readClock(store)
    return { batch, positions, deviceId, version: flush.version }
  })
}

/** Puts all but the batch's first `size` entries back in the queue. */
export async function shrinkBatch(store: MemberStore, size: number): Promise<void> {
  await store.dexie.transaction('rw', store.outbox, async () => {
    await markEntries(store, await entriesIn(store, 'sending').offset(size).toArray(), 'waiting')
  })
}

const markEntries = ({ outbox }: MemberStore, entries: readonly OutboxEntry[], state: OutboxEntry['state']) =>
  outbox.bulkPut(entries.map((entry) => ({ ...entry, state })))
