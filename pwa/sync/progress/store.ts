import Dexie, { type Table } from 'dexie'
import { storeName } from '#pwa/lib/unwiped.ts'
import { openDatabase } from '#pwa/sync/database.ts'
import type { DatabaseOptions } from '#pwa/sync/spare.ts'
import type { SyncItem } from '#shared/contract/progress.ts'
import type { ShelfVideo } from '#shared/contract/shelf.ts'
import type { MemberVideo, VideoText } from '#shared/contract/video.ts'
import type { Seen } from '#shared/rules/progress-merge.ts'
import type {
  CommitmentEntry,
  CommitmentRow,
  CommitmentsRow,
  ConfirmedCommitment,
  NewCommitmentEntry,
} from './commitment-rows.ts'
import type { KeptRow, ShelfRow } from './kept.ts'
import type {
  ConfirmedEntry,
  NewQuestionEntry,
  QuestionBytesRow,
  QuestionDraftRow,
  QuestionEntry,
  QuestionFileRow,
  QuestionListRow,
  QuestionRecordRow,
  QuestionsRow,
} from './question-rows.ts'

// Members' phones store the names of databases, tables, fields and states: changing one needs a new version.

/** What a row in the list shows: the server's row, with this device's pending changes on top. */
export type ProgressRow = {
  videoId: string
  completed: boolean
  completedAt: string | null
  /** As in the last response; null while the server has none. */
  server: SyncItem | null
}

/**
 * A tick on its way to the server, in the order made (`seq`). `waiting` is queued; `sending` is the current batch, repeated
 * unchanged until there's a response; `refused` stays until the member decides. `at` is ms since 1970.
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
  /** The server had confirmed it, and went back to an older copy since. */
  isRepeat?: true
}

/**
 * A tick the server has confirmed. If the server goes back to an older copy (`generation` tells), it's sent again. `confirmedAt` is
 * the server's clock, ms since 1970; `generation` is null if the server named none.
 */
export type ConfirmedTick = Pick<OutboxEntry, 'seq' | 'id' | 'videoId' | 'completed' | 'at' | 'counter'> & {
  confirmedAt: number
  generation: string | null
}
export type NewEntry = Omit<OutboxEntry, 'seq'>

/** What stops the queue until a person acts. Nothing gets deleted. */
export type Paused = 'login' | 'access' | 'member'

export type ClockRow = Seen & {
  key: 'clock'
  deviceId: string
  /** Server time minus device clock at the last response, ms. */
  offset: number
}

export type FlushRow = {
  key: 'flush'
  isSending: boolean
  paused: Paused | null
  attempts: number
  /** Device clock, ms: the queue doesn't send on its own before then. */
  retryAt: number | null
  /** The server named that time itself (Retry-After). */
  isWaitAsked: boolean
  /** The last attempt didn't reach our server. */
  isUnreachable: boolean
  /** ISO, the server's clock. */
  lastSyncedAt: string | null
  /** The version of the server's rows stored here; none before a server has named one. */
  version?: string | undefined
  /** The version of the member's commitments, as the last answer named it. */
  commitments?: string | undefined
  /** The same of their questions. */
  questions?: string | undefined
}

/** While this row exists nothing may be written: the store is being sealed and wiped. */
type ClosedRow = { key: 'closed' }

type MetaRow = ClockRow | FlushRow | ShelfRow | QuestionsRow | CommitmentsRow | ClosedRow

/** A response the members' area can show again without signal, such as the profile. */
export type Snapshot = {
  name: string
  value: unknown
  savedAt: number
  /** The response's ETag; none if the value came another way. */
  etag?: string | null
}

/** Where the member stopped in a video. `isPending`: the server doesn't know yet. `at` is ms since 1970. */
export type PositionRow = { videoId: string; seconds: number; at: number; deviceId: string; isPending: boolean }

export type MemberStore = {
  memberId: string
  dexie: Dexie
  videos: Table<MemberVideo, string>
  progress: Table<ProgressRow, string>
  outbox: Table<OutboxEntry, number, NewEntry>
  confirmed: Table<ConfirmedTick, number>
  meta: Table<MetaRow, MetaRow['key']>
  snapshots: Table<Snapshot, string>
  positions: Table<PositionRow, string>
  texts: Table<VideoText, string>
  /** Videos on this phone, whole or on their way. */
  kept: Table<KeptRow, string>
  /** What could be kept, as the server last said. */
  keepable: Table<ShelfVideo, string>
  questions: Table<QuestionListRow, string>
  questionRecords: Table<QuestionRecordRow, string>
  questionOutbox: Table<QuestionEntry, number, NewQuestionEntry>
  questionConfirmed: Table<ConfirmedEntry, number>
  questionFiles: Table<QuestionFileRow, string>
  questionBytes: Table<QuestionBytesRow, [fileId: string, index: number]>
  questionDrafts: Table<QuestionDraftRow, string>
  commitments: Table<CommitmentRow, string>
  commitmentOutbox: Table<CommitmentEntry, number, NewCommitmentEntry>
  confirmedCommitments: Table<ConfirmedCommitment, number>
}

export function openMemberStore(memberId: string, options: DatabaseOptions): MemberStore {
  const dexie = openDatabase(storeName(memberId), options)
  dexie.version(1).stores({
    videos: 'id',
    progress: 'videoId',
    outbox: '++seq, &id, at, [state+seq]',
    meta: 'key',
    snapshots: 'name',
  })
  dexie.version(2).stores({ positions: 'videoId', texts: 'videoId' })
  dexie.version(3).stores({ kept: 'videoId, whole.sha256', keepable: 'videoId' })
  dexie.version(4).stores({ confirmed: 'seq, confirmedAt' })
  dexie.version(5).stores({
    questions: 'id, isUnread',
    questionRecords: 'id',
    questionOutbox: '++seq, &id, questionId',
    questionConfirmed: 'seq, questionId, confirmedAt',
    questionFiles: 'id, state, questionId, draftKey',
    questionBytes: '[fileId+index]',
    questionDrafts: 'key',
  })
  dexie.version(6).stores({
    commitments: 'id',
    commitmentOutbox: '++seq, &id, commitmentId',
    confirmedCommitments: 'seq, confirmedAt',
  })
  return {
    memberId,
    dexie,
    videos: dexie.table('videos'),
    progress: dexie.table('progress'),
    outbox: dexie.table('outbox'),
    confirmed: dexie.table('confirmed'),
    meta: dexie.table('meta'),
    snapshots: dexie.table('snapshots'),
    positions: dexie.table('positions'),
    texts: dexie.table('texts'),
    kept: dexie.table('kept'),
    keepable: dexie.table('keepable'),
    questions: dexie.table('questions'),
    questionRecords: dexie.table('questionRecords'),
    questionOutbox: dexie.table('questionOutbox'),
    questionConfirmed: dexie.table('questionConfirmed'),
    questionFiles: dexie.table('questionFiles'),
    questionBytes: dexie.table('questionBytes'),
    questionDrafts: dexie.table('questionDrafts'),
    commitments: dexie.table('commitments'),
    commitmentOutbox: dexie.table('commitmentOutbox'),
    confirmedCommitments: dexie.table('confirmedCommitments'),
  }
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
  return findFlush(row ? [row] : [])
}

/** The same among rows already read. */
export function findFlush(rows: readonly MetaRow[]): FlushRow {
  const row = rows.find(({ key }) => key === 'flush')
  return row?.key === 'flush' ? row : idle
}

/** Whether the member has logged out here; if so, nothing more is written. */
export const isClosed = async ({ meta }: MemberStore): Promise<boolean> => (await meta.get('closed')) !== undefined

export async function changeFlush(store: MemberStore, change: Partial<Omit<FlushRow, 'key'>>): Promise<void> {
  await store.dexie.transaction('rw', store.meta, async () => {
    if (!(await isClosed(store))) await store.meta.put({ ...(await readFlush(store)), ...change })
  })
}

export const entriesIn = ({ outbox }: MemberStore, state: OutboxEntry['state']) =>
  outbox.where('[state+seq]').between([state, Dexie.minKey], [state, Dexie.maxKey])

/** Ticks that the server would take now. */
export async function hasUnsentTicks(store: MemberStore): Promise<boolean> {
  const [waiting, sending] = await Promise.all([
    entriesIn(store, 'waiting').count(),
    entriesIn(store, 'sending').count(),
  ])
  return waiting + sending > 0
}

/** Entries without a response, in the order made: the current batch before the queue. */
export async function readPending(store: MemberStore): Promise<OutboxEntry[]> {
  return [...(await entriesIn(store, 'sending').toArray()), ...(await entriesIn(store, 'waiting').toArray())]
}

/** ISO text, or the bare number if it isn't a valid time: an entry damaged on disk has to reach the server to be refused. */
export function toIsoText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}
