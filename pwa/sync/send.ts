import * as v from 'valibot'
import { ErrorBody } from '#shared/contract/error.ts'
import { type ProgressChange, SyncAnswer, type SyncRequest } from '#shared/contract/progress.ts'
import { retryAfterMs } from './back-off.ts'
import type { MemberStore, OutboxEntry, Paused } from './db.ts'
import type { Refusal } from './outbox.ts'
import { iso } from './progress-rows.ts'
import type { Surroundings } from './surroundings.ts'

export const requestTimeoutMs = 30_000

/** What an answer, or the want of one, means for the queue. */
export type SendResult =
  | { kind: 'answer'; answer: SyncAnswer }
  /** Send less at once; `refusal` is null where not our server but something before it said so. */
  | { kind: 'smaller'; refusal: Refusal | null }
  | { kind: 'paused'; paused: Paused }
  | { kind: 'later'; askedWaitMs: number | null; isUnreachable: boolean }

const unreachable: SendResult = { kind: 'later', askedWaitMs: null, isUnreachable: true }

export type Sender = { store: MemberStore; around: Surroundings; signal: AbortSignal }

export async function sendBatch(sender: Sender, deviceId: string, batch: readonly OutboxEntry[]): Promise<SendResult> {
  const body: SyncRequest = { memberId: sender.store.memberId, deviceId, changes: batch.map(toChange) }
  const reply = await post(sender, JSON.stringify(body))
  return reply === null ? unreachable : judge(reply, sender.around.wall())
}

const toChange = ({ id, videoId, completed, at, counter }: OutboxEntry): ProgressChange => ({
  id,
  videoId,
  completed,
  at: iso(at),
  counter,
})

type Reply = { status: number; headers: Headers; json: unknown }

/** Null where nothing came back in time. A redirect is never ours: some Wi-Fi wants a login first. */
async function post({ around, signal }: Sender, body: string): Promise<Reply | null> {
  const request = new AbortController()
  const abort = () => request.abort()
  const cancel = around.after(requestTimeoutMs, abort)
  signal.addEventListener('abort', abort)
  try {
    const response = await around.fetch('/api/video-progress/sync', {
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json' },
      redirect: 'error',
      cache: 'no-store',
      signal: request.signal,
      body,
    })
    return { status: response.status, headers: response.headers, json: parse(await response.text()) }
  } catch {
    // No signal, a time-out, a connection that broke half way: all of them mean "later".
    return null
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Only what has our own shape may pause the queue or refuse a change: a hotel's sign-in page may come with any status. */
function judge({ status, headers, json }: Reply, wall: number): SendResult {
  if (status === 200) {
    const answer = readAnswer(json)
    return answer === null ? unreachable : { kind: 'answer', answer }
  }
  const error = v.safeParse(ErrorBody, json)
  const refusal = error.success ? { code: error.output.error.code, message: error.output.error.message } : null
  if (status === 413) return { kind: 'smaller', refusal }
  const later: SendResult = {
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

function readAnswer(json: unknown): SyncAnswer | null {
  const { success, output } = v.safeParse(SyncAnswer, json)
  const isTime = (text: string) => !Number.isNaN(Date.parse(text))
  return success && isTime(output.serverTime) && output.items.every(({ at }) => isTime(at)) ? output : null
}
