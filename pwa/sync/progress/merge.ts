import type { SyncItem, SyncResponse } from '#shared/contract/progress.ts'
import { clampAhead, overlayPending, seenAfter } from '#shared/rules/progress-merge.ts'
import { keepConfirmed, takeBackConfirmed } from './confirmed.ts'
import {
  changeFlush,
  type MemberStore,
  type OutboxEntry,
  type PositionRow,
  type ProgressRow,
  readClock,
  readPending,
  toIsoText,
} from './store.ts'

export type Refusal = { code: string; message: string }

type Sent = { batch: readonly OutboxEntry[]; positions: readonly PositionRow[] }

/**
 * Merges a response in one transaction. Sent changes are deleted or set aside, the server's rows replace ours below pending
 * changes, and no stamp, made or seen, stays ahead of the limit. Ticks another copy of the server confirmed are pending again. `offset` is the clock's new one. Returns the videos of accepted
 * completions, which only the tab that merges a change gets, and how many changes are left to send.
 */
export async function mergeResponse(
  store: MemberStore,
  { batch: sent, positions }: Sent,
  response: SyncResponse,
  offset: number,
): Promise<{ completed: Set<string>; left: number }> {
  const { dexie, progress, outbox, meta, confirmed } = store
  const serverTime = Date.parse(response.serverTime)
  const limit = clampAhead(Number.POSITIVE_INFINITY, serverTime)
  const refusals = new Map(response.rejected.map(({ id, code, message }) => [id, { code, message }]))
  return dexie.transaction('rw', [progress, outbox, meta, confirmed, store.positions], async () => {
    const before = await readPending(store)
    const present = new Set(before.map(({ seq }) => seq))
    const left = await settleBatch(store, { sent, refusals }, before)
    // If our lease ran out, another tab may have merged the same changes already.
    const accepted = sent.filter(({ id, seq }) => !refusals.has(id) && present.has(seq))
    await keepConfirmed(store, accepted, { generation: response.generation ?? null, serverTime })
    const pending = (await takeBackConfirmed(store, response)) ? await readPending(store) : left
    await outbox.where('at').above(limit).modify({ at: limit })
    const shown = pending.map((entry) => ({ ...entry, at: clampAhead(entry.at, serverTime) }))
    await replaceRows(store, response.items, shown)
    await mergePositions(store, positions, response)
    const clock = await readClock(store)
    const received = response.items.map(({ at, counter }) => ({ at: Date.parse(at), counter }))
    await meta.put({ ...clock, ...seenAfter(clock, received, serverTime), offset })
    const { commitments, questions, version } = response
    await changeFlush(store, { ...healthy, lastSyncedAt: response.serverTime, version, commitments, questions })
    const completed = accepted.flatMap(({ videoId, completed: isDone, isRepeat }) =>
      isDone && !isRepeat ? videoId : [],
    )
    return { completed: new Set(completed), left: pending.length }
  })
}

const healthy = {
  isSending: false,
  paused: null,
  attempts: 0,
  retryAt: null,
  isWaitAsked: false,
  isUnreachable: false,
}

export async function confirmRows(store: MemberStore, serverTime: string, offset: number): Promise<void> {
  const { dexie, outbox, meta } = store
  await dexie.transaction('rw', outbox, meta, async () => {
    const limit = clampAhead(Number.POSITIVE_INFINITY, Date.parse(serverTime))
    await outbox.where('at').above(limit).modify({ at: limit })
    const clock = await readClock(store)
    await meta.put({ ...clock, ...seenAfter(clock, [], Date.parse(serverTime)), offset })
    await changeFlush(store, { ...healthy, lastSyncedAt: serverTime })
  })
}

/** The server's positions replace ours, below those made since the request. */
async function mergePositions(
  { positions }: MemberStore,
  sent: readonly PositionRow[],
  { positions: items, serverTime }: SyncResponse,
): Promise<void> {
  const sentAt = new Map(sent.map(({ videoId, at }) => [videoId, at]))
  const rows = await positions.toArray()
  if (items === undefined || rows.length + items.length === 0) return
  const waiting = rows
    .filter(({ videoId, at, isPending }) => isPending && sentAt.get(videoId) !== at)
    .map((row) => ({ ...row, at: clampAhead(row.at, Date.parse(serverTime)) }))
  const stored = items.map((item) => ({ ...item, at: Date.parse(item.at), isPending: false }))
  await positions.clear()
  await positions.bulkPut([...overlayPending<PositionRow, PositionRow>(stored, waiting).values()])
}

/** Sets aside a change the server wouldn't take even on its own. */
export async function refuseEntry(store: MemberStore, entry: OutboxEntry, refusal: Refusal): Promise<void> {
  await store.dexie.transaction('rw', store.outbox, store.progress, async () => {
    const settled = { sent: [entry], refusals: new Map([[entry.id, refusal]]) }
    await refreshRow(store, entry.videoId, await settleBatch(store, settled, await readPending(store)))
  })
}

type SettledBatch = { sent: readonly OutboxEntry[]; refusals: ReadonlyMap<string | null, Refusal> }

/**
 * Deletes what was accepted and sets aside what was refused, unless a later change of the same video replaced it. `pending`
 * includes the batch; returns what's left of it.
 */
async function settleBatch(store: MemberStore, { sent, refusals }: SettledBatch, pending: readonly OutboxEntry[]) {
  const newest = new Map(pending.map(({ videoId, seq }) => [videoId, seq]))
  const settled = new Set(sent.map(({ seq }) => seq))
  const refused = sent.flatMap((entry) => {
    const refusal = refusals.get(entry.id)
    const isReplaced = newest.get(entry.videoId) !== entry.seq
    // The member isn't asked about a tick they saw confirmed.
    const isOver = isReplaced || entry.isRepeat === true
    return refusal === undefined || isOver ? [] : [{ ...entry, state: 'refused' as const, refusal }]
  })
  await store.outbox.bulkDelete([...settled])
  await store.outbox.bulkPut(refused)
  return pending.filter(({ seq }) => !settled.has(seq))
}

/** A row with a pending change on top of the server's last row. */
export function pendingRow({ videoId, completed, at }: Omit<OutboxEntry, 'seq'>, server: SyncItem | null): ProgressRow {
  return { videoId, completed, completedAt: completed ? toIsoText(at) : null, server }
}

const serverRow = (server: SyncItem): ProgressRow => ({
  videoId: server.videoId,
  completed: server.completed,
  completedAt: server.completedAt,
  server,
})

async function replaceRows(store: MemberStore, items: readonly SyncItem[], pending: readonly OutboxEntry[]) {
  const byVideo = new Map(items.map((item) => [item.videoId, item]))
  const overlay = pending.map((entry) => pendingRow(entry, byVideo.get(entry.videoId) ?? null))
  await store.progress.clear()
  await store.progress.bulkPut([...overlayPending(items.map(serverRow), overlay).values()])
}

/** Rewrites one video's row after one of its changes was settled or restored. */
export async function refreshRow(store: MemberStore, videoId: string, pending: readonly OutboxEntry[]): Promise<void> {
  const server = (await store.progress.get(videoId))?.server ?? null
  const last = pending.findLast((entry) => entry.videoId === videoId)
  if (last) await store.progress.put(pendingRow(last, server))
  else if (server) await store.progress.put(serverRow(server))
  else await store.progress.delete(videoId)
}
