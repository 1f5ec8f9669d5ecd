import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { appliedChanges, progressDays, videoProgress } from '#api/db/schema/videos.ts'
import { AppError, notFound } from '#api/errors.ts'
import { type Person, viewingOnly } from '#api/http/session.ts'
import {
  ProgressChange,
  type RejectedChange,
  type SyncItem,
  type SyncRequest,
  type SyncResponse,
  type VideoProgress,
} from '#shared/contract/progress.ts'
import { idRandomBytes, isUuidV7, uuidV7 } from '#shared/rules/id.ts'
import { beats, clampAhead, completedAt, type Stamp, serverStamp, storedAsOf } from '#shared/rules/progress-merge.ts'
import {
  appliedChange,
  changesOfDay,
  forgetChanges,
  progressOfMember,
  progressOfVideo,
  type StoredProgress,
  stampOf,
  ticksOfMember,
  videoVisibility,
} from './queries.ts'

/** What the guard knows of the member whose ticks these are. */
export type Ticker = Pick<Person, 'id' | 'isAdmin' | 'access'> & Partial<Pick<Person, 'impersonator'>>

export function listProgress(ctx: Context, userId: string): VideoProgress[] {
  return ticksOfMember.all(ctx, { userId })
}

/** Marks one video, with a stamp of the server's that wins over whatever is stored now. */
export function markVideo(ctx: Context, member: Ticker, videoId: string, completed: boolean): VideoProgress {
  return transact(ctx, () => {
    if (!maySee(ctx, member, videoId)) throw notFound('This video')
    const received = ctx.now().getTime()
    const stored = progressOfVideo.get(ctx, { userId: member.id, videoId })
    const before = stored ? storedAsOf(stampOf(stored), received, received) : null
    const stamp = serverStamp(received, before, ctx.newId())
    const row = toRow({ videoId, completed }, stamp, received)
    storeRow(ctx, member.id, row, iso(received))
    return toProgress(row)
  })
}

/**
 * Applies each change once, by its stamp, and returns every row of the member. A rejected change is not remembered, and
 * does not affect the others; a known one is acknowledged, whatever it contains this time.
 */
export function syncProgress(ctx: Context, member: Ticker, request: SyncRequest): SyncResponse {
  if (request.memberId !== undefined && request.memberId !== member.id) {
    throw new AppError('wrong_member', 'These ticks belong to another account. Please log in with it to send them.')
  }
  if (member.impersonator && request.changes.length > 0) throw viewingOnly()
  // Without changes nothing is written, so it need not wait for another writer.
  return request.changes.length === 0
    ? syncNow(ctx, member, request)
    : transact(ctx, () => syncNow(ctx, member, request))
}

function syncNow(ctx: Context, member: Ticker, { deviceId, changes }: SyncRequest): SyncResponse {
  const received = ctx.now().getTime()
  const stored = progressOfMember.all(ctx, { userId: member.id })
  const batch: Batch = {
    member,
    deviceId,
    received,
    receivedAt: iso(received),
    rows: new Map(stored.map((row) => [row.videoId, row])),
    changed: new Set(),
    stored: 0,
    visible: new Map(),
  }
  const rejected = changes.flatMap((change) => applyOne(ctx, batch, change) ?? [])
  countChanges(ctx, member, batch.stored)
  for (const videoId of batch.changed) {
    const row = batch.rows.get(videoId)
    if (row) storeRow(ctx, member.id, row, batch.receivedAt)
  }
  return { serverTime: batch.receivedAt, items: [...batch.rows.values()].map(toItem), rejected }
}

type Batch = {
  member: Ticker
  deviceId: string
  received: number
  /** The same as text, made once. */
  receivedAt: string
  /** The member's rows after the changes so far; those in `changed` are written at the end. */
  rows: Map<string, StoredProgress>
  changed: Set<string>
  /** How many changes are new to us. */
  stored: number
  /** For each video checked so far, whether the member may see it. */
  visible: Map<string, boolean>
}

function applyOne(ctx: Context, batch: Batch, input: unknown): RejectedChange | null {
  const { member, received, receivedAt, deviceId } = batch
  const parsed = v.safeParse(ProgressChange, input)
  if (!parsed.success) return isKnown(ctx, member, idOf(input)) ? null : malformed(input)
  const { id, videoId, completed, counter, at } = parsed.output
  if (!maySeeInBatch(ctx, batch, videoId)) return isKnown(ctx, member, id) ? null : unavailable(id)
  const isNew = insertIfAbsent(ctx, appliedChanges, { userId: member.id, changeId: id, receivedAt })
  if (!isNew) return null
  batch.stored += 1
  const stamp = { at: clampAhead(Date.parse(at), received), counter, deviceId, changeId: id }
  const current = batch.rows.get(videoId)
  if (beats(stamp, current ? storedAsOf(stampOf(current), stamp.at, received) : null)) {
    batch.rows.set(videoId, toRow({ videoId, completed }, stamp, received))
    batch.changed.add(videoId)
  }
  return null
}

/** Enough for a phone that was away for months, twice; more than anybody ticks. */
const changesADay = 20_000

/**
 * Throws over the daily limit, so that nothing of the request is applied: the phone keeps its changes and sends them
 * later. A repeat of what is stored passes.
 */
function countChanges(ctx: Context, { id: userId }: Ticker, stored: number): void {
  if (stored === 0) return
  const now = ctx.now()
  const day = now.toISOString().slice(0, 10)
  const known = changesOfDay.get(ctx, { userId })
  const changes = (known?.day === day ? known.changes : 0) + stored
  if (changes > changesADay) {
    const retryAfter = Math.ceil((Date.parse(`${day}T00:00:00Z`) + dayMs - now.getTime()) / 1000)
    throw new AppError('rate_limited', 'Those are more ticks than a day takes. They are sent again tomorrow.', {
      retryAfter: Math.max(60, retryAfter),
    })
  }
  upsert(ctx, progressDays, { userId, day, changes })
}

const dayMs = 86_400_000

/**
 * Forgets which changes were applied more than 18 months ago: no phone sends them any more. A change's id begins with
 * the time at which it was made, so that each member's old ones lie together in the key.
 */
export function forgetOldChanges(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - 548 * dayMs)
  return forgetChanges.run(ctx, {
    firstKept: uuidV7(before.getTime(), new Uint8Array(idRandomBytes)),
    before: before.toISOString(),
  }).changes
}

const isKnown = (ctx: Context, member: Ticker, id: string | null) =>
  id !== null && isUuidV7(id) && appliedChange.get(ctx, { userId: member.id, changeId: id }) !== undefined

const malformed = (input: unknown): RejectedChange => ({
  id: idOf(input),
  code: 'malformed',
  message: 'This change could not be read.',
})

const unavailable = (id: string): RejectedChange => ({
  id,
  code: 'not_found',
  message: 'This video is not available to you any more.',
})

/** The id as it was sent, so that the phone finds its change again; null where there is none worth repeating. */
function idOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('id' in input)) return null
  return typeof input.id === 'string' && input.id.length <= 64 ? input.id : null
}

function maySeeInBatch(ctx: Context, { member, visible }: Batch, videoId: string): boolean {
  const known = visible.get(videoId)
  if (known !== undefined) return known
  const isVisible = maySee(ctx, member, videoId)
  visible.set(videoId, isVisible)
  return isVisible
}

/** Published, and of the member's tier; an owner sees all that is published. */
function maySee(ctx: Context, { isAdmin, access }: Ticker, videoId: string): boolean {
  const video = videoVisibility.get(ctx, { videoId })
  if (!video?.isPublished) return false
  return isAdmin || (access.tier !== null && video.tierAccess.includes(JSON.stringify(access.tier)))
}

function storeRow(ctx: Context, userId: string, row: StoredProgress, now: string): void {
  const stored = { id: ctx.newId(), userId, ...row, createdAt: now, updatedAt: now }
  upsert(ctx, videoProgress, stored, ['id', 'createdAt'])
}

function toRow(tick: { videoId: string; completed: boolean }, stamp: Stamp, received: number): StoredProgress {
  const { at, counter, deviceId, changeId } = stamp
  const done = completedAt(tick.completed, at, received)
  return {
    videoId: tick.videoId,
    completed: tick.completed,
    completedAt: done === null ? null : iso(done),
    at: iso(at),
    counter,
    deviceId,
    changeId,
  }
}

const toProgress = ({ videoId, completed, completedAt }: StoredProgress): VideoProgress => ({
  videoId,
  completed,
  completedAt,
})

const toItem = (row: StoredProgress): SyncItem => ({
  ...toProgress(row),
  at: row.at,
  counter: row.counter,
  deviceId: row.deviceId,
})

const iso = (ms: number) => new Date(ms).toISOString()
