import { lt } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { commitmentMark } from '#api/db/commitment-mark.ts'
import { generationLabel } from '#api/db/generation.ts'
import { insertIfAbsent, upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { appliedCommitmentChanges, commitments } from '#api/db/schema/commitments.ts'
import { AppError } from '#api/errors.ts'
import { type Ticker, visibleVideos } from '#api/features/videos/progress/visibility-service.ts'
import { viewingOnly } from '#api/identity/session-use.ts'
import {
  CommitmentChange,
  type CommitmentSyncRequest,
  type CommitmentSyncResponse,
  type KeptShare,
  type SyncCommitment,
} from '#shared/contract/commitments.ts'
import type { RejectedChange } from '#shared/contract/progress.ts'
import { isNewerState, keptShares } from '#shared/rules/commitments.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { isUuidV7 } from '#shared/rules/id.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { clampAhead, isNewerStamp, type Stamp, storedAsOf } from '#shared/rules/progress-merge.ts'
import { withdrawDay } from './mails.ts'
import {
  appliedCommitmentChange,
  callOfMember,
  commitmentById,
  commitmentsOfMember,
  countAppliedSince,
  countedOfMember,
  type SourceFields,
  type StoredCommitment,
  toCommitment,
} from './queries.ts'

/** How long a phone shows what's over. */
const shownDays = 400

/** Applies each change once. Rejected ones aren't remembered. A known id is acknowledged, whatever it holds this time. */
export function syncCommitments(ctx: Context, member: Ticker, request: CommitmentSyncRequest): CommitmentSyncResponse {
  if (request.memberId !== undefined && request.memberId !== member.id)
    throw new AppError('wrong_member', 'These changes belong to another account. Log in with it to send them.')
  if (member.impersonator && request.changes.length > 0) throw viewingOnly()
  if (request.changes.length === 0) return answer(ctx, member.id, [])
  return transact(ctx, () => answer(ctx, member.id, applyChanges(ctx, member, request)))
}

/** Whether the phone is up to date: it sent nothing, and the version matches. */
export const isUnchanged = ({ changes, version }: CommitmentSyncRequest, answered: CommitmentSyncResponse): boolean =>
  changes.length === 0 && version !== undefined && version === answered.version

function answer(ctx: Context, userId: string, rejected: RejectedChange[]): CommitmentSyncResponse {
  const since = addDays(londonDay(ctx.now()), -shownDays)
  return {
    serverTime: ctx.now().toISOString(),
    items: commitmentsOfMember.all(ctx, { userId, since }).map(toItem),
    rejected,
    version: commitmentMark(ctx, userId),
    generation: generationLabel(ctx),
  }
}

export function sharesOf(ctx: Context, userId: string): KeptShare[] {
  return keptShares(countedOfMember.all(ctx, { userId }), londonDay(ctx.billingNow()))
}

function applyChanges(ctx: Context, member: Ticker, { deviceId, changes }: CommitmentSyncRequest): RejectedChange[] {
  const received = ctx.now().getTime()
  const rejected: RejectedChange[] = []
  let applied = 0
  for (const input of changes) {
    const id = idOf(input)
    if (id !== null && isKnown(ctx, member.id, id)) continue
    const change = v.safeParse(CommitmentChange, input)
    const problem = change.success ? applyChange(ctx, member, { change: change.output, deviceId, received }) : malformed
    if (problem === null) applied += 1
    else rejected.push({ id, ...problem })
  }
  ctx.meter.rejectedChanges(rejected.length)
  if (applied > 0) checkDay(ctx, member.id)
  return rejected
}

type Problem = Omit<RejectedChange, 'id'>

const malformed: Problem = { code: 'malformed', message: 'That change didn’t save. Make it again.' }
const gone: Problem = {
  code: 'not_found',
  message: 'It isn’t on your list any more. Put it on again if you still mean to do it.',
}

type Incoming = { change: CommitmentChange; deviceId: string; received: number }

/** Null if it was applied. */
function applyChange(ctx: Context, member: Ticker, incoming: Incoming): Problem | null {
  const { change, received } = incoming
  const stored = commitmentById.get(ctx, { id: change.commitmentId })?.row
  // Ids are random, but nothing is told of someone else's.
  if (stored !== undefined && stored.userId !== member.id) return gone
  const before = stored ?? begun(ctx, member, incoming)
  if (before === null) return gone
  const receivedAt = iso(received)
  upsert(ctx, commitments, { ...merged(before, incoming), updatedAt: receivedAt }, ['id', 'createdAt'])
  if (before.remindedFor !== null) withdrawDay(ctx, { userId: member.id, day: before.remindedFor })
  insertIfAbsent(ctx, appliedCommitmentChanges, { userId: member.id, changeId: change.id, receivedAt })
  return null
}

/** Older than any change, so that what a member says of it wins wherever it comes from, in whatever order. */
export const firstStamp: Stamp = { at: 0, counter: 0, deviceId: '', changeId: '' }

/** A new one, before its own fields are laid over it. Null if the change makes none. */
function begun(ctx: Context, member: Ticker, { change, received }: Incoming): StoredCommitment | null {
  const { text, day, videoId, callId } = change
  if (text === undefined || day === undefined) return null
  const isVideoTheirs = videoId !== undefined && visibleVideos(ctx, member, [videoId]).has(videoId)
  const isCallTheirs = callId !== undefined && callOfMember.get(ctx, { id: callId, userId: member.id }) !== undefined
  return newCommitment({
    id: change.commitmentId,
    userId: member.id,
    madeBy: 'member',
    text,
    day,
    state: 'open',
    videoId: isVideoTheirs ? videoId : null,
    callId: isCallTheirs ? callId : null,
    createdAt: iso(Math.min(Date.parse(change.at), received)),
  })
}

type New = Pick<
  StoredCommitment,
  'id' | 'userId' | 'madeBy' | 'text' | 'day' | 'state' | 'videoId' | 'callId' | 'createdAt'
>

/** Every field has the first stamp. */
export const newCommitment = (made: New): StoredCommitment => ({
  ...made,
  ...stampedText(firstStamp),
  ...stampedDay(firstStamp),
  ...stampedState(firstStamp),
  doneOn: null,
  remindedFor: null,
  updatedAt: made.createdAt,
})

/** Each field for itself, by the rule of ticks. What the change doesn't name stays. */
function merged(row: StoredCommitment, { change, deviceId, received }: Incoming): StoredCommitment {
  const at = clampAhead(Date.parse(change.at), received)
  const stamp: Stamp = { at, counter: change.counter, deviceId, changeId: change.id }
  const known = (stored: Stamp) => storedAsOf(stored, at, received)
  const { text, day } = change
  // A line that's pressed again accepts what the coach has proposed.
  const state = change.state ?? (text !== undefined && day !== undefined ? 'open' : undefined)
  const stateStamp = change.state === undefined ? firstStamp : stamp
  const isState =
    state !== undefined &&
    isNewerState({ state, stamp: stateStamp }, { state: row.state, stamp: known(stampsOf(row).state) })
  return {
    ...row,
    ...(text !== undefined && isNewerStamp(stamp, known(stampsOf(row).text)) && { text, ...stampedText(stamp) }),
    ...(day !== undefined && isNewerStamp(stamp, known(stampsOf(row).day)) && { day, ...stampedDay(stamp) }),
    ...(isState && {
      state,
      doneOn: state === 'done' ? londonDay(new Date(Math.min(at, received))) : null,
      ...stampedState(stateStamp),
    }),
  }
}

const stampedText = ({ at, counter, deviceId, changeId }: Stamp) => ({
  textAt: iso(at),
  textCounter: counter,
  textDeviceId: deviceId,
  textChangeId: changeId,
})
const stampedDay = ({ at, counter, deviceId, changeId }: Stamp) => ({
  dayAt: iso(at),
  dayCounter: counter,
  dayDeviceId: deviceId,
  dayChangeId: changeId,
})
const stampedState = ({ at, counter, deviceId, changeId }: Stamp) => ({
  stateAt: iso(at),
  stateCounter: counter,
  stateDeviceId: deviceId,
  stateChangeId: changeId,
})

const stampsOf = (row: StoredCommitment) => ({
  text: stampFrom(row.textAt, row.textCounter, row.textDeviceId, row.textChangeId),
  day: stampFrom(row.dayAt, row.dayCounter, row.dayDeviceId, row.dayChangeId),
  state: stampFrom(row.stateAt, row.stateCounter, row.stateDeviceId, row.stateChangeId),
})

const stampFrom = (at: string, counter: number, deviceId: string, changeId: string): Stamp => ({
  at: Date.parse(at),
  counter,
  deviceId,
  changeId,
})

const asSent = ({ at, ...stamp }: Stamp) => ({ at: iso(at), ...stamp })

function toItem(found: { row: StoredCommitment } & SourceFields): SyncCommitment {
  const { text, day, state } = stampsOf(found.row)
  return { ...toCommitment(found), stamps: { text: asSent(text), day: asSent(day), state: asSent(state) } }
}

/** More than anyone presses in a day, and few enough that no one fills the disk. */
const changesADay = 500

/** Refuses the whole request over the daily limit. The phone sends its changes later. Repeats don't count. */
function checkDay(ctx: Context, userId: string): void {
  const now = ctx.now()
  const midnight = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`
  if ((countAppliedSince.get(ctx, { userId, since: midnight })?.changes ?? 0) <= changesADay) return
  const retryAfter = Math.ceil((Date.parse(midnight) + dayMs - now.getTime()) / 1000)
  throw new AppError('rate_limited', 'That’s a lot of changes for one day. We’ll send the rest tomorrow.', {
    retryAfter: Math.max(60, retryAfter),
  })
}

/** Forgets changes applied over 18 months ago. No phone sends them any more. */
export function forgetOldCommitmentChanges(ctx: Context): number {
  const before = iso(ctx.now().getTime() - 548 * dayMs)
  return ctx.db.delete(appliedCommitmentChanges).where(lt(appliedCommitmentChanges.receivedAt, before)).run().changes
}

const isKnown = (ctx: Context, userId: string, id: string) =>
  isUuidV7(id) && appliedCommitmentChange.get(ctx, { userId, changeId: id }) !== undefined

/** The id as sent, so that the phone recognises its change; null if it's not worth returning. */
function idOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('id' in input)) return null
  return typeof input.id === 'string' && input.id.length <= 64 ? input.id : null
}

const iso = (ms: number) => new Date(ms).toISOString()
