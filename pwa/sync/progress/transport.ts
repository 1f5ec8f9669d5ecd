import * as v from 'valibot'
import { retryAfterMs } from '#pwa/sync/back-off.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { retryAfterFailure } from '#pwa/sync/scheduler.ts'
import { type JsonResponse, postJson, readError } from '#pwa/sync/transport.ts'
import {
  type PositionChange,
  type ProgressChange,
  type SyncRequest,
  SyncResponse,
  serverTimeHeader,
  syncBatchLimit,
} from '#shared/contract/progress.ts'
import { confirmRows, mergeResponse, type Refusal, refuseEntry } from './merge.ts'
import { type Claim, claimBatch, type ServerClock, shrinkBatch, type Wanted } from './outbox.ts'
import {
  changeFlush,
  type MemberStore,
  type OutboxEntry,
  type Paused,
  type PositionRow,
  readFlush,
  toIsoText,
} from './store.ts'

/** How sending ended: nothing left to send, not tried yet, try again later, or stopped until a person acts. */
export type SendOutcome = 'done' | 'skipped' | 'later' | 'paused'

export type TickSender = { store: MemberStore; platform: Platform; signal: AbortSignal }

export type SendOptions = Pick<Wanted, 'mustPull' | 'isDue'> & { clock: ServerClock; lost: AbortSignal }

/**
 * Sends the queue batch by batch until it's empty. No transaction stays open during a request, and each step leaves the store
 * consistent, so the browser may kill the tab between any two steps.
 */
export async function sendPendingTicks(sender: TickSender, options: SendOptions): Promise<SendOutcome> {
  const { store, signal } = sender
  const { lost } = options
  let wanted: Wanted = { ...options, limit: syncBatchLimit }
  while (!signal.aborted && !lost.aborted) {
    const claim = await claimBatch(store, wanted)
    if (typeof claim === 'string') return claim
    const { batch } = claim
    const result = await sendBatch(sender, claim)
    if (signal.aborted) break
    if (result.kind === 'unchanged') {
      await confirmRows(store, result.serverTime, options.clock.set(Date.parse(result.serverTime)))
      // What was made meanwhile asks for a run of its own.
      return 'done'
    } else if (result.kind === 'response') {
      const { response } = result
      const offset = options.clock.set(Date.parse(response.serverTime))
      const { completed, left } = await mergeResponse(store, claim, response, offset)
      await countCompletions(sender, completed)
      if (left + claim.positions.length === 0) return 'done'
      wanted = { limit: Math.min(syncBatchLimit, wanted.limit * 2), mustPull: false, isDue: () => true }
    } else {
      const next = await handleFailure(sender, batch, result)
      if (typeof next === 'string') return next
      wanted = { ...wanted, limit: next.limit, isDue: () => true }
    }
  }
  return 'later'
}

async function countCompletions({ store, platform }: TickSender, videoIds: ReadonlySet<string>): Promise<void> {
  if (videoIds.size === 0) return
  const videos = await store.videos.bulkGet([...videoIds])
  for (const video of videos) if (video) platform.countCompletion(video.title)
}

type BatchResult =
  | { kind: 'response'; response: SyncResponse }
  /** The server's rows are the ones on this device. */
  | { kind: 'unchanged'; serverTime: string }
  /** Send fewer at a time; `refusal` is null if something before our server said so. */
  | { kind: 'smaller'; refusal: Refusal | null }
  | { kind: 'paused'; paused: Paused }
  | { kind: 'later'; askedWaitMs: number | null; isUnreachable: boolean }

type Failure = Exclude<BatchResult, { kind: 'response' | 'unchanged' }>

/** A failure leads to a smaller batch, or ends this run. */
async function handleFailure(
  sender: TickSender,
  batch: readonly OutboxEntry[],
  result: Failure,
): Promise<SendOutcome | { limit: number }> {
  const { store } = sender
  const [first] = batch
  if (result.kind === 'paused') {
    await changeFlush(store, { isSending: false, paused: result.paused, attempts: 0, retryAt: null })
    return 'paused'
  }
  if (result.kind === 'smaller' && batch.length > 1) {
    const limit = Math.ceil(batch.length / 2)
    await shrinkBatch(store, limit)
    return { limit }
  }
  if (result.kind === 'smaller' && result.refusal !== null && first !== undefined) {
    await refuseEntry(store, first, result.refusal)
    return { limit: 1 }
  }
  await postponeSending(sender, result.kind === 'later' ? result : { askedWaitMs: null, isUnreachable: false })
  return 'later'
}

type Wait = { askedWaitMs: number | null; isUnreachable: boolean }

async function postponeSending({ store, platform }: TickSender, { askedWaitMs, isUnreachable }: Wait): Promise<void> {
  const retry = retryAfterFailure(platform, (await readFlush(store)).attempts, askedWaitMs)
  await changeFlush(store, { ...retry, isSending: false, isUnreachable })
}

const unreachable: BatchResult = { kind: 'later', askedWaitMs: null, isUnreachable: true }

async function sendBatch(sender: TickSender, { batch, positions, deviceId, version }: Claim): Promise<BatchResult> {
  const { memberId } = sender.store
  const body: SyncRequest = {
    memberId,
    deviceId,
    ...(version === undefined ? {} : { version }),
    changes: batch.map(toChange),
    positions: positions.map(toPosition),
  }
  const response = await postJson(sender, {
    path: '/api/video-progress/sync',
    credentials: 'include',
    body: JSON.stringify(body),
  })
  return response === null ? unreachable : readResult(response, sender.platform.wall())
}

const toChange = ({ id, videoId, completed, at, counter }: OutboxEntry): ProgressChange => ({
  id,
  videoId,
  completed,
  at: toIsoText(at),
  counter,
})

const toPosition = ({ videoId, seconds, at }: PositionRow): PositionChange => ({ videoId, seconds, at: toIsoText(at) })

/** Only our own error format may pause the queue or refuse a change: a Wi-Fi sign-in page may come with any status. */
function readResult({ status, headers, json }: JsonResponse, wall: number): BatchResult {
  if (status === 200) {
    const response = readResponse(json)
    return response === null ? unreachable : { kind: 'response', response }
  }
  if (status === 204) {
    // Only our server sends its time. A Wi-Fi that answers everything with 204 doesn't.
    const serverTime = headers.get(serverTimeHeader) ?? ''
    return isTime(serverTime) ? { kind: 'unchanged', serverTime } : unreachable
  }
  const error = readError(json)
  const refusal = error && { code: error.code, message: error.message }
  if (status === 413) return { kind: 'smaller', refusal }
  const later: BatchResult = {
    kind: 'later',
    askedWaitMs: retryAfterMs(headers.get('retry-after'), wall),
    isUnreachable: false,
  }
  if (refusal === null) return status === 429 || status >= 500 ? later : unreachable
  if (status === 400 || status === 422) return { kind: 'smaller', refusal }
  if (status === 401) return { kind: 'paused', paused: 'login' }
  if (status === 403) return { kind: 'paused', paused: 'access' }
  if (status === 409 && refusal.code === 'wrong_member') return { kind: 'paused', paused: 'member' }
  return later
}

const isTime = (text: string) => !Number.isNaN(Date.parse(text))

function readResponse(json: unknown): SyncResponse | null {
  const { success, output } = v.safeParse(SyncResponse, json)
  if (!success || !isTime(output.serverTime)) return null
  const rows = [...output.items, ...(output.positions ?? [])]
  return rows.every(({ at }) => isTime(at)) ? output : null
}
