import Dexie, { type DexieOptions, type Table } from 'dexie'
import type { LeaseRow } from '#pwa/sync/locks.ts'
import type { SyncItem } from '#shared/contract/progress.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import type { Seen } from '#shared/rules/progress.ts'

/** What a row of the list shows: the server's row, under what still waits here. */
export type ProgressRow = {
  videoId: string
  completed: boolean
  completedAt: string | null
  /** As last answered; null while the server has none. */
  server: SyncItem | null
}

/**
 * A tick on its way, in the order made (`seq`). `sending` is the batch that is being sent, and is repeated as it is until
 * there is an answer; `refused` stays until the person decides. `at` is ms since 1970.
 */
export type OutboxEntry = {
  seq: number
  id: string
  videoId: string
  completed: boolean
  at: number
  counter: number
  state: 'waiting' | 'sending' | 'refused'
  refusal?: { code: string; message: string }
}
export type NewEntry = Omit<OutboxEntry, 'seq'>

/** What stops the queue until a person acts; everything is kept meanwhile. */
export type Paused = 'login' | 'access' | 'member'

export type ClockRow = Seen & {
  key: 'clock'
  deviceId: string
  /** Server time minus device clock at the last answer, ms. */
  offset: number
}

export type FlushRow = {
  key: 'flush'
  isSending: boolean
  paused: Paused | null
  /** Failures in a row. */
  attempts: number
  /** Device clock, ms: nothing goes out by itself before. */
  retryAt: number | null
  /** The server named that time itself (Retry-After). */
  isWaitAsked: boolean
  /** The last try did not reach our server. */
  isUnreachable: boolean
  /** ISO, the server's clock. */
  lastSyncedAt: string | null
}

/** While it stands, nothing may be written any more: the store is being sealed and wiped. */
export type ClosedRow = { key: 'closed' }

export type MetaRow = ClockRow | FlushRow | LeaseRow | ClosedRow

/** An answer that the members' area shows again without signal, such as the profile. */
export type Snapshot = { name: string; value: unknown; savedAt: number }

/** Everything that this device keeps of one member. */
export type MemberStore = {
  memberId: string
  dexie: Dexie
  videos: Table<MemberVideo, string>
  progress: Table<ProgressRow, string>
  outbox: Table<OutboxEntry, number, NewEntry>
  meta: Table<MetaRow, MetaRow['key']>
  snapshots: Table<Snapshot, string>
}

export function openMemberStore(memberId: string, options: DexieOptions): MemberStore {
  const dexie = openDexie(`alliance-member-${memberId}`, options)
  dexie.version(1).stores({
    videos: 'id',
    progress: 'videoId',
    outbox: '++seq, &id, at, [state+seq]',
    meta: 'key',
    snapshots: 'name',
  })
  return {
    memberId,
    dexie,
    videos: dexie.table('videos'),
    progress: dexie.table('progress'),
    outbox: dexie.table('outbox'),
    meta: dexie.table('meta'),
    snapshots: dexie.table('snapshots'),
  }
}

/**
 * `strict`: a tick that was shown as kept survives a flat battery. A store that another tab deletes stays closed here;
 * by default Dexie would make it again, empty, under the name of somebody who has left.
 */
export function openDexie(name: string, options: DexieOptions): Dexie {
  const dexie = new Dexie(name, { cache: 'disabled', chromeTransactionDurability: 'strict', ...options })
  dexie.on('versionchange', () => {
    dexie.close({ disableAutoOpen: true })
    return false
  })
  return dexie
}

export async function readClock({ meta }: MemberStore): Promise<ClockRow> {
  const row = await meta.get('clock')
  if (row?.key !== 'clock') throw new Error('This store has not been set up.')
  return row
}

const idle: FlushRow = {
  key: 'flush',
  isSending: false,
  paused: null,
  attempts: 0,
  retryAt: null,
  isWaitAsked: false,
  isUnreachable: false,
  lastSyncedAt: null,
}

export async function readFlush({ meta }: MemberStore): Promise<FlushRow> {
  const row = await meta.get('flush')
  return row?.key === 'flush' ? row : idle
}

/** Whether this member has been logged out here: what comes too late is not written any more. */
export const isClosed = async ({ meta }: MemberStore): Promise<boolean> => (await meta.get('closed')) !== undefined

export async function changeFlush(store: MemberStore, change: Partial<Omit<FlushRow, 'key'>>): Promise<void> {
  await store.dexie.transaction('rw', store.meta, async () => {
    if (!(await isClosed(store))) await store.meta.put({ ...(await readFlush(store)), ...change })
  })
}

/** Entries of one state, in the order made. */
export const entriesIn = ({ outbox }: MemberStore, state: OutboxEntry['state']) =>
  outbox.where('[state+seq]').between([state, Dexie.minKey], [state, Dexie.maxKey])

/** Entries that the server has not answered for, in the order made: what is being sent was made before what waits. */
export async function unanswered(store: MemberStore): Promise<OutboxEntry[]> {
  return [...(await entriesIn(store, 'sending').toArray()), ...(await entriesIn(store, 'waiting').toArray())]
}
