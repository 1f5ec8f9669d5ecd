import { entriesIn, type MemberStore, type OutboxEntry, type Paused, readFlush } from './store.ts'

/** How far a tick has come. `refused` carries the reason and the id to try again with. */
type TickState = { kind: 'sent' | 'pending' | 'sending' } | { kind: 'refused'; id: string; message: string }

export type ShownProgress = { completed: boolean; completedAt: string | null; tick: TickState }

export type RefusedTick = { id: string; videoId: string; completed: boolean; message: string }

/** What the status line says. No tick counts as both pending and sending; `refused` ones need a decision of the member. */
export type SyncState = {
  pending: number
  sending: number
  refused: RefusedTick[]
  /** ISO, the server's clock. */
  lastSyncedAt: string | null
  /** Why nothing is sent although there may be signal: login ended, no access now, or another account is logged in. */
  paused: Paused | null
  /** The last attempt reached our server, or there was none yet. */
  isReachable: boolean
}

/** By `member_videos.id`; a video without an entry has never been ticked. */
export async function readProgress(store: MemberStore): Promise<Map<string, ShownProgress>> {
  return store.dexie.transaction('r', store.progress, store.outbox, store.meta, async () => {
    const [{ isSending }, entries, rows] = await Promise.all([
      readFlush(store),
      store.outbox.toArray(),
      store.progress.toArray(),
    ])
    const ticks = new Map(entries.map((entry) => [entry.videoId, tickState(entry, isSending)]))
    const shown = new Map<string, ShownProgress>()
    for (const { videoId, completed, completedAt } of rows) {
      shown.set(videoId, { completed, completedAt, tick: ticks.get(videoId) ?? { kind: 'sent' } })
      ticks.delete(videoId)
    }
    // A refused tick of a video that the server has no row for must be shown all the same.
    for (const [videoId, tick] of ticks) shown.set(videoId, { completed: false, completedAt: null, tick })
    return shown
  })
}

function tickState({ state, id, refusal }: OutboxEntry, isSending: boolean): TickState {
  if (state === 'refused') return { kind: 'refused', id, message: refusal?.message ?? '' }
  return { kind: state === 'sending' && isSending ? 'sending' : 'pending' }
}

export async function readSyncState(store: MemberStore): Promise<SyncState> {
  return store.dexie.transaction('r', store.outbox, store.meta, async () => {
    const [flush, refused, total, claimed] = await Promise.all([
      readFlush(store),
      entriesIn(store, 'refused').toArray(),
      store.outbox.count(),
      entriesIn(store, 'sending').count(),
    ])
    const sending = flush.isSending ? claimed : 0
    return {
      pending: total - refused.length - sending,
      sending,
      refused: refused.map(({ id, videoId, completed, refusal }) => ({
        id,
        videoId,
        completed,
        message: refusal?.message ?? '',
      })),
      lastSyncedAt: flush.lastSyncedAt,
      paused: flush.paused,
      isReachable: !flush.isUnreachable,
    }
  })
}
