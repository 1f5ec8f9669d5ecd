import * as v from 'valibot'
import { retryAfterMs } from '#pwa/sync/back-off.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { postJson, type Reply, readError } from '#pwa/sync/transport.ts'
import { type ProgressChange, type SyncRequest, SyncResponse } from '#shared/contract/progress.ts'
import type { Refusal } from './outbox.ts'
import { iso } from './progress-rows.ts'
import type { MemberStore, OutboxEntry, Paused } from './store.ts'

/** What an answer, or the want of one, means for the queue. */
export type SendResult =
  | { kind: 'answer'; answer: SyncResponse }
  /** Send less at once; `refusal` is null where not our server but something before it said so. */
  | { kind: 'smaller'; refusal: Refusal | null }
  | { kind: 'paused'; paused: Paused }
  | { kind: 'later'; askedWaitMs: number | null; isUnreachable: boolean }

const unreachable: SendResult = { kind: 'later', askedWaitMs: null, isUnreachable: true }

export type Sender = { store: MemberStore; platform: Platform; signal: AbortSignal }

export async function sendBatch(sender: Sender, deviceId: string, batch: readonly OutboxEntry[]): Promise<SendResult> {
  const body: SyncRequest = { memberId: sender.store.memberId, deviceId, changes: batch.map(toChange) }
  const reply = await postJson(sender, {
    path: '/api/video-progress/sync',
    credentials: 'include',
    body: JSON.stringify(body),
  })
  return reply === null ? unreachable : judge(reply, sender.platform.wall())
}

const toChange = ({ id, videoId, completed, at, counter }: OutboxEntry): ProgressChange => ({
  id,
  videoId,
  completed,
  at: iso(at),
  counter,
})

/** Only what has our own shape may pause the queue or refuse a change: a hotel's sign-in page may come with any status. */
function judge({ status, headers, json }: Reply, wall: number): SendResult {
  if (status === 200) {
    const answer = readAnswer(json)
    return answer === null ? unreachable : { kind: 'answer', answer }
  }
  const error = readError(json)
  const refusal = error && { code: error.code, message: error.message }
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

function readAnswer(json: unknown): SyncResponse | null {
  const { success, output } = v.safeParse(SyncResponse, json)
  const isTime = (text: string) => !Number.isNaN(Date.parse(text))
  return success && isTime(output.serverTime) && output.items.every(({ at }) => isTime(at)) ? output : null
}
