import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { cachedRead, writeUnrelated } from '#api/db/cached-read.ts'
import { commitmentMark } from '#api/db/commitment-mark.ts'
import { generationLabel } from '#api/db/generation.ts'
import { transactTogether } from '#api/db/group-commit.ts'
import { upsert } from '#api/db/insert.ts'
import type { HasDb } from '#api/db/query.ts'
import { questionMark } from '#api/db/question-mark.ts'
import { progressDays, videoProgress } from '#api/db/schema/videos.ts'
import { AppError, notFound } from '#api/errors.ts'
import { viewingOnly } from '#api/identity/session-use.ts'
import { toTaggedJson } from '#api/serving/kept-answers.ts'
import {
  PositionChange,
  ProgressChange,
  type RejectedChange,
  type SyncItem,
  type SyncPosition,
  type SyncRequest,
  type SyncResponse,
  type VideoProgress,
  VideoProgressList,
} from '#shared/contract/progress.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { isUuidV7 } from '#shared/rules/id.ts'
import {
  clampAhead,
  completedAt,
  isNewerStamp,
  type Stamp,
  serverStamp,
  storedAsOf,
} from '#shared/rules/progress-merge.ts'
import { applyPositions } from './positions-service.ts'
import {
  appliedChange,
  changesOfDay,
  forgetChanges,
  progressOfMember,
  progressOfVideo,
  rememberChanges,
  type StoredProgress,
  stampOf,
  ticksOfMember,
} from './queries.ts'
import { type Ticker, visibleVideos } from './visibility-service.ts'

export const listProgress = (ctx: HasDb, userId: string): VideoProgress[] => ticksOfMember.all(ctx, { userId })

/** Serialised once: reading the rows and writing them as JSON took two thirds of a request. */
export const progressAsJson = cachedRead((ctx, userId) => toTaggedJson(VideoProgressList, listProgress(ctx, userId)), {
  untilAnyWrite: true,
})

/** Ticks one video, with a server stamp that beats whatever is stored now. */
export async function markVideo(
  ctx: Context,
  member: Ticker,
  videoId: string,
  completed: boolean,
): Promise<VideoProgress> {
  if (!visibleVideos(ctx, member, [videoId]).has(videoId)) throw notFound('This video')
  return writeTicks(ctx, () => {
    const received = ctx.now().getTime()
    const stored = progressOfVideo.get(ctx, { userId: member.id, videoId })
    const before = stored ? storedAsOf(stampOf(stored), received, received) : null
    const stamp = serverStamp(received, before, ctx.newId())
    const row = toRow({ videoId, completed }, stamp, received)
    storeRow(ctx, member.id, row, iso(received))
    return toProgress(row)
  })
}

/** Ticks videos done elsewhere, in the caller's transaction. What the member has ticked or unticked here stays. */
export function tickAsImported(ctx: Context, userId: string, videoIds: readonly string[]): void {
  const received = ctx.now().getTime()
  for (const videoId of videoIds) {
    if (progressOfVideo.get(ctx, { userId, videoId }) !== undefined) continue
    const row = toRow({ videoId, completed: true }, serverStamp(received, null, ctx.newId()), received)
    storeRow(ctx, userId, row, iso(received))
  }
}

/** Applies each change once. Rejected ones aren't remembered. A known id is acknowledged, whatever it contains this time. */
export async function syncProgress(ctx: Context, member: Ticker, request: SyncRequest): Promise<SyncResponse> {
  if (request.memberId !== undefined && request.memberId !== member.id) {
    throw new AppError('wrong_member', 'These ticks belong to another account. Log in with it to send them.')
  }
  const sent = request.changes.length + (request.positions?.length ?? 0)
  if (member.impersonator && sent > 0) throw viewingOnly()
  const read = readRequest(ctx, member, request)
  // Without changes there's nothing to write, so don't wait for another writer.
  return sent === 0 ? syncNow(ctx, member, read) : writeTicks(ctx, () => syncNow(ctx, member, read))
}

/**
 * What was sent, without positions that can’t be read or that they may not see: the phone makes new ones. What they may see is
 * asked before the transaction, where it’s cached.
 */
function readRequest(ctx: Context, member: Ticker, { deviceId, changes: inputs, positions: places = [] }: SyncRequest) {
  const changes = inputs.map((input) => ({ input, change: readAs(ProgressChange, input) }))
  const positions = places.flatMap((input) => readAs(PositionChange, input) ?? [])
  const named = [...changes.flatMap(({ change }) => change ?? []), ...positions]
  const isVisible = visibleVideos(
    ctx,
    member,
    named.map(({ videoId }) => videoId),
  )
  return { deviceId, changes, positions: positions.filter(({ videoId }) => isVisible.has(videoId)), isVisible }
}

type ReadRequest = ReturnType<typeof readRequest>

function readAs<Output>(schema: v.GenericSchema<unknown, Output>, input: unknown): Output | null {
  const { success, output } = v.safeParse(schema, input)
  return success ? output : null
}

/** Requests don't read anything a tick writes, so caches stay valid. */
const writeTicks = <Result>(ctx: Context, write: () => Result): Promise<Result> =>
  transactTogether(ctx, () => writeUnrelated(ctx, write))

function syncNow(ctx: Context, member: Ticker, request: ReadRequest): SyncResponse {
  const { deviceId } = request
  const received = ctx.now().getTime()
  const receivedAt = iso(received)
  const rows = new Map(progressOfMember.all(ctx, { userId: member.id }).map((row) => [row.videoId, row]))
  const { fitting, rejected } = sortChanges(ctx, member, request)
  ctx.meter.rejectedChanges(rejected.length)
  const added = new Set(rememberNew(ctx, member, { changes: fitting, receivedAt }))
  countChanges(ctx, member, added.size)
  const changed = new Set<string>()
  for (const { id, videoId, completed, counter, at } of fitting) {
    // Of two with the same id, the first counts.
    if (!added.delete(id)) continue
    const stamp = { at: clampAhead(Date.parse(at), received), counter, deviceId, changeId: id }
    const current = rows.get(videoId)
    if (!isNewerStamp(stamp, current ? storedAsOf(stampOf(current), stamp.at, received) : null)) continue
    rows.set(videoId, toRow({ videoId, completed }, stamp, received))
    changed.add(videoId)
  }
  for (const videoId of changed) {
    const row = rows.get(videoId)
    if (row) storeRow(ctx, member.id, row, receivedAt)
  }
  const promised = commitmentMark(ctx, member.id)
  // Who an owner views the site as keeps their questions to themselves.
  const asked = member.impersonator ? '' : questionMark(ctx, member.id)
  const stored = {
    items: [...rows.values()].map(toItem),
    positions: applyPositions(ctx, member, { ...request, received }),
    generation: generationLabel(ctx),
    ...(promised === '' ? {} : { commitments: promised }),
    ...(asked === '' ? {} : { questions: asked }),
  }
  return { serverTime: receivedAt, ...stored, rejected, version: versionOf(stored) }
}

type Stored = Pick<SyncResponse, 'items' | 'generation' | 'commitments' | 'questions'> & { positions: SyncPosition[] }

/** Changes as soon as any row does, in whatever order they come, and with the generation: a phone has to be told of another. */
const versionOf = ({ items, positions, generation, commitments = '', questions = '' }: Stored): string => {
  const sorted = [items, positions].map((rows) => rows.toSorted((one, other) => (one.videoId < other.videoId ? -1 : 1)))
  return Bun.hash(JSON.stringify(sorted) + generation + commitments + questions).toString(36)
}

/** Whether the phone is up to date: it sent nothing, and the version matches. */
export const isUnchanged = ({ changes, positions = [], version }: SyncRequest, response: SyncResponse): boolean =>
  changes.length + positions.length === 0 && version !== undefined && version === response.version

/** Changes that can be applied, in order, and rejected ones not known already. */
function sortChanges(ctx: Context, member: Ticker, { changes, isVisible }: ReadRequest) {
  const fitting: ProgressChange[] = []
  const rejected: RejectedChange[] = []
  for (const { input, change } of changes) {
    if (change !== null && isVisible.has(change.videoId)) fitting.push(change)
    else if (change !== null && !isKnown(ctx, member, change.id)) rejected.push(unavailable(change.id))
    else if (change === null && !isKnown(ctx, member, idOf(input))) rejected.push(malformed(input))
  }
  return { fitting, rejected }
}

type Fitting = { changes: readonly ProgressChange[]; receivedAt: string }

/** Returns the ids of those not applied before. */
function rememberNew(ctx: Context, { id: userId }: Ticker, { changes, receivedAt }: Fitting): string[] {
  if (changes.length === 0) return []
  const changeIds = JSON.stringify(changes.map(({ id }) => id))
  return rememberChanges.all(ctx, { userId, changeIds, receivedAt }).map(({ changeId }) => changeId)
}

/** Twice what a phone away for months would send, and more than anyone ticks. */
const changesADay = 20_000

/** Refuses the whole request over the daily limit. The phone sends its changes later. Repeats don't count. */
function countChanges(ctx: Context, { id: userId }: Ticker, stored: number): void {
  if (stored === 0) return
  const now = ctx.now()
  const day = now.toISOString().slice(0, 10)
  const known = changesOfDay.get(ctx, { userId })
  const changes = (known?.day === day ? known.changes : 0) + stored
  if (changes > changesADay) {
    const retryAfter = Math.ceil((Date.parse(`${day}T00:00:00Z`) + dayMs - now.getTime()) / 1000)
    throw new AppError('rate_limited', 'That’s a lot of ticks for one day. We’ll send the rest tomorrow.', {
      retryAfter: Math.max(60, retryAfter),
    })
  }
  upsert(ctx, progressDays, { userId, day, changes })
}

/** Forgets changes applied over 18 months ago. No phone sends them any more. */
export function forgetOldChanges(ctx: Context): number {
  const now = ctx.now()
  const before = new Date(now.getTime() - 548 * dayMs)
  return forgetChanges.run(ctx, { before: before.toISOString(), now: now.toISOString() }).changes
}

const isKnown = (ctx: Context, member: Ticker, id: string | null) =>
  id !== null && isUuidV7(id) && appliedChange.get(ctx, { userId: member.id, changeId: id }) !== undefined

const malformed = (input: unknown): RejectedChange => ({
  id: idOf(input),
  code: 'malformed',
  message: 'We couldn’t read this change.',
})

const unavailable = (id: string): RejectedChange => ({
  id,
  code: 'not_found',
  message: 'You can’t open this video any more.',
})

/** The id as sent, so that the phone recognises its change; null if it's not worth returning. */
function idOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('id' in input)) return null
  return typeof input.id === 'string' && input.id.length <= 64 ? input.id : null
}

function storeRow(ctx: Context, userId: string, row: StoredProgress, now: string): void {
  const stored = { id: ctx.newId(), userId, ...row, createdAt: now, updatedAt: now }
  upsert(ctx, videoProgress, stored, ['id', 'createdAt'])
}

function toRow(tick: { videoId: string; completed: boolean }, stamp: Stamp, received: number): StoredProgress {
  const { at, counter, deviceId, changeId } = stamp
  const done = completedAt(tick.completed, at, received)
  const atText = iso(at)
  return {
    videoId: tick.videoId,
    completed: tick.completed,
    completedAt: done === at ? atText : done === null ? null : iso(done),
    at: atText,
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
