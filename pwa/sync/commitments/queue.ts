import * as v from 'valibot'
import { retryAfterMs } from '#pwa/sync/back-off.ts'
import type { CommitmentEntry } from '#pwa/sync/progress/commitment-rows.ts'
import type { FollowingQueue, QueueRun } from '#pwa/sync/progress/following.ts'
import { changeFlush, type MemberStore, readClock, toIsoText } from '#pwa/sync/progress/store.ts'
import type { SendOutcome } from '#pwa/sync/progress/transport.ts'
import { isDue, retryAfterFailure, waitLeftMs } from '#pwa/sync/scheduler.ts'
import { postJson, readError } from '#pwa/sync/transport.ts'
import {
  type CommitmentChange,
  type CommitmentSyncRequest,
  CommitmentSyncResponse,
} from '#shared/contract/commitments.ts'
import { serverTimeHeader } from '#shared/contract/progress.ts'
import { mergeCommitments, type Refusal, refuseChange } from './merge.ts'
import { changeQueue, readQueue, readWork } from './store.ts'

const batchLimit = 200

/** Commitments, which follow the ticks and go before anything larger. */
export const commitmentQueue: FollowingQueue = { send, waitMs }

/** Ms until what waits may be sent; null if nothing does. */
async function waitMs(store: MemberStore, wall: number): Promise<number | null> {
  const { queue, waiting, hasNews } = await readWork(store)
  return waiting.length > 0 || hasNews ? waitLeftMs(queue.retryAt, wall) : null
}

/** Batch by batch until nothing waits, as for ticks. A repeat carries the same ids, so it may be cut off between any two steps. */
async function send(run: QueueRun): Promise<SendOutcome> {
  const { store, platform, reason, signal, lost } = run
  let work = await readWork(store)
  if (!isDue(work.queue, reason, platform.wall())) return 'skipped'
  let limit = batchLimit
  for (; !signal.aborted && !lost.aborted; work = await readWork(store)) {
    const batch = work.waiting.slice(0, limit)
    if (batch.length === 0 && !work.hasNews) return 'done'
    const result = await sendBatch(run, batch, work.queue.version)
    if (signal.aborted) break
    if (result.kind === 'response') {
      const offset = run.clock.set(Date.parse(result.response.serverTime))
      if (!(await mergeCommitments(store, batch, result.response, offset))) return 'later'
      limit = Math.min(batchLimit, limit * 2)
    } else if (result.kind === 'unchanged') {
      await changeQueue(store, { attempts: 0, retryAt: null, isWaitAsked: false })
      await changeFlush(store, { commitments: work.queue.version })
    } else {
      const next = await handleFailure(run, batch, result)
      if (typeof next === 'string') return next
      limit = next.limit
    }
  }
  return 'later'
}

/** A failure leads to a smaller batch, or ends this run. */
async function handleFailure(
  run: QueueRun,
  batch: readonly CommitmentEntry[],
  result: Failure,
): Promise<SendOutcome | { limit: number }> {
  const { store } = run
  const [first] = batch
  if (result.kind === 'paused') {
    await changeFlush(store, { paused: result.paused, attempts: 0, retryAt: null })
    return 'paused'
  }
  if (result.kind === 'smaller' && batch.length > 1) return { limit: Math.ceil(batch.length / 2) }
  if (result.kind === 'smaller' && result.refusal !== null && first !== undefined) {
    await refuseChange(store, first, result.refusal)
    return { limit: 1 }
  }
  return postpone(run, result.kind === 'later' ? result.askedWaitMs : null)
}

async function postpone({ store, platform }: QueueRun, askedWaitMs: number | null): Promise<SendOutcome> {
  await changeQueue(store, retryAfterFailure(platform, (await readQueue(store)).attempts, askedWaitMs))
  return 'later'
}

type Result =
  | { kind: 'response'; response: CommitmentSyncResponse }
  | { kind: 'unchanged' }
  /** Send fewer at a time; `refusal` is null if something before our server said so. */
  | { kind: 'smaller'; refusal: Refusal | null }
  | { kind: 'paused'; paused: 'login' | 'access' | 'member' }
  | { kind: 'later'; askedWaitMs: number | null }

type Failure = Exclude<Result, { kind: 'response' | 'unchanged' }>

async function sendBatch(run: QueueRun, batch: readonly CommitmentEntry[], version: string): Promise<Result> {
  const { store, platform } = run
  const body: CommitmentSyncRequest = {
    memberId: store.memberId,
    deviceId: (await readClock(store)).deviceId,
    version,
    changes: batch.map(toChange),
  }
  const path = '/api/members/commitments/sync'
  const response = await postJson(run, { path, credentials: 'include', body: JSON.stringify(body) })
  if (response === null) return { kind: 'later', askedWaitMs: null }
  const { status, headers, json } = response
  if (status === 200) {
    const { success, output } = v.safeParse(CommitmentSyncResponse, json)
    const isOurs = success && !Number.isNaN(Date.parse(output.serverTime))
    return isOurs ? { kind: 'response', response: output } : { kind: 'later', askedWaitMs: null }
  }
  // Only our server sends its time. A Wi-Fi that answers everything with 204 doesn't.
  if (status === 204 && batch.length === 0 && headers.has(serverTimeHeader)) return { kind: 'unchanged' }
  const error = readError(json)
  const refusal = error && { code: error.code, message: error.message }
  if (status === 413) return { kind: 'smaller', refusal }
  if (refusal !== null && (status === 400 || status === 422)) return { kind: 'smaller', refusal }
  if (refusal !== null && status === 401) return { kind: 'paused', paused: 'login' }
  if (refusal !== null && status === 403) return { kind: 'paused', paused: 'access' }
  if (status === 409 && refusal?.code === 'wrong_member') return { kind: 'paused', paused: 'member' }
  return { kind: 'later', askedWaitMs: retryAfterMs(headers.get('retry-after'), platform.wall()) }
}

const toChange = (entry: CommitmentEntry): CommitmentChange => ({
  id: entry.id,
  commitmentId: entry.commitmentId,
  ...(entry.text !== undefined && { text: entry.text }),
  ...(entry.day !== undefined && { day: entry.day }),
  ...(entry.state !== undefined && { state: entry.state }),
  ...(entry.video && { videoId: entry.video.id }),
  ...(entry.call && { callId: entry.call.id }),
  at: toIsoText(entry.at),
  counter: entry.counter,
})
