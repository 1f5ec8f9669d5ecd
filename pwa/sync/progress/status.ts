import type { ShelfVideo } from '#shared/contract/shelf.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import type { WholeFile } from '#shared/rules/shelf.ts'
import type { CommitmentEntry } from './commitment-rows.ts'
import { type KeptRow, type ShelfRow, shelfOf } from './kept.ts'
import { orderVideos } from './snapshots.ts'
import {
  type ClockRow,
  type FlushRow,
  findFlush,
  type MemberStore,
  type OutboxEntry,
  type Paused,
  type PositionRow,
  type ProgressRow,
  type Snapshot,
} from './store.ts'

/** A tick's state. `refused` carries the reason, and the id to retry with. */
type TickState = { kind: 'sent' | 'pending' | 'sending' } | { kind: 'refused'; id: string; message: string }

export type ShownProgress = { completed: boolean; completedAt: string | null; tick: TickState }

export type RefusedTick = { id: string; videoId: string; completed: boolean; message: string }

/** What the status line says. No tick counts as both pending and sending; `refused` ones need the member's decision. */
export type SyncState = {
  pending: number
  sending: number
  /** Commitments with a change that waits. */
  commitments: number
  refused: RefusedTick[]
  /** ISO, the server's clock. */
  lastSyncedAt: string | null
  /** Why nothing is sent even with signal: the login ended, there's no access, or another account is logged in. */
  paused: Paused | null
  /** The last attempt reached our server, or there was none yet. */
  isReachable: boolean
  /** When the oldest waiting change was made, ms since 1970. */
  waitingSince: number | null
}

export type Stored = {
  sync: SyncState
  /** By `member_videos.id`; a video without an entry has never been ticked. */
  progress: Map<string, ShownProgress>
  videos: MemberVideo[]
  /** By `member_videos.id`: where the member stopped. */
  positions: Map<string, PositionRow>
  /** By `member_videos.id`: what's on this device, or on its way here. */
  kept: Map<string, KeptMark>
  shelf: ShelfView
  snapshots: Snapshot[]
  /** The server's time minus this device's, and the greatest time this device has made or seen; ms. */
  clock: Pick<ClockRow, 'offset' | 'at'>
}

/** What a row and a player need to know of a kept video. */
export type KeptMark = { whole: WholeFile | null; hasCaptions: boolean }

/** What this phone keeps, oldest first, and what it could keep, by `member_videos.id`. */
export type ShelfView = { rows: KeptRow[]; keepable: Map<string, ShelfVideo>; shelf: ShelfRow }

/** Nine requests in one transaction: a slow phone is quickest if the screen comes together in one step. */
export async function readStored(store: MemberStore): Promise<Stored> {
  const { dexie, outbox, progress, videos, snapshots, positions, meta, kept, keepable, commitmentOutbox } = store
  const tables = [meta, outbox, progress, videos, snapshots, positions, kept, keepable, commitmentOutbox]
  const [facts, entries, rows, unordered, named, stops, keeps, offered, promised] = await dexie.transaction(
    'r',
    tables,
    () =>
      Promise.all([
        meta.toArray(),
        outbox.toArray(),
        progress.toArray(),
        videos.toArray(),
        snapshots.toArray(),
        positions.toArray(),
        kept.toArray(),
        keepable.toArray(),
        commitmentOutbox.toArray(),
      ]),
  )
  const flush = findFlush(facts)
  const clock = facts.find((row) => row.key === 'clock')
  return {
    sync: syncStateOf(flush, entries, promised),
    progress: progressOf(flush, entries, rows),
    videos: orderVideos(named, unordered),
    positions: new Map(stops.map((stop) => [stop.videoId, stop])),
    kept: new Map(keeps.map(({ videoId, whole, captions }) => [videoId, { whole, hasCaptions: captions !== null }])),
    shelf: {
      rows: keeps.toSorted((one, other) => one.keptAt - other.keptAt),
      keepable: new Map(offered.map((one) => [one.videoId, one])),
      shelf: shelfOf(facts.find(({ key }) => key === 'shelf')),
    },
    snapshots: named,
    clock: clock?.key === 'clock' ? { offset: clock.offset, at: clock.at } : { offset: 0, at: 0 },
  }
}

function progressOf({ isSending }: FlushRow, entries: readonly OutboxEntry[], rows: readonly ProgressRow[]) {
  const ticks = new Map(entries.map((entry) => [entry.videoId, tickState(entry, isSending)]))
  const shown = new Map<string, ShownProgress>()
  for (const { videoId, completed, completedAt } of rows) {
    shown.set(videoId, { completed, completedAt, tick: ticks.get(videoId) ?? { kind: 'sent' } })
    ticks.delete(videoId)
  }
  // Show a refused tick even if the server has no row for its video.
  for (const [videoId, tick] of ticks) shown.set(videoId, { completed: false, completedAt: null, tick })
  return shown
}

function tickState({ state, id, refusal }: OutboxEntry, isSending: boolean): TickState {
  if (state === 'refused') return { kind: 'refused', id, message: refusal?.message ?? '' }
  return { kind: state === 'sending' && isSending ? 'sending' : 'pending' }
}

/** Ticked and unticked, it's still one that waits. */
const countVideos = (entries: readonly OutboxEntry[]) => new Set(entries.map(({ videoId }) => videoId)).size

function syncStateOf(
  flush: FlushRow,
  entries: readonly OutboxEntry[],
  promised: readonly CommitmentEntry[],
): SyncState {
  const refused = entries.filter(({ state }) => state === 'refused')
  const isUnderWay = ({ state }: OutboxEntry) => state === 'sending' && flush.isSending
  return {
    pending: countVideos(entries.filter((entry) => entry.state !== 'refused' && !isUnderWay(entry))),
    sending: countVideos(entries.filter(isUnderWay)),
    commitments: new Set(promised.flatMap(({ status, commitmentId }) => (status === 'waiting' ? commitmentId : [])))
      .size,
    refused: refused.map(({ id, videoId, completed, refusal }) => ({
      id,
      videoId,
      completed,
      message: refusal?.message ?? '',
    })),
    lastSyncedAt: flush.lastSyncedAt,
    paused: flush.paused,
    isReachable: !flush.isUnreachable,
    waitingSince: entries.reduce<number | null>(
      (oldest, { state, at }) => (state === 'refused' ? oldest : Math.min(oldest ?? at, at)),
      null,
    ),
  }
}
