import * as v from 'valibot'
import { retryAfterMs } from '#pwa/sync/back-off.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import type { QuestionEntry, QuestionFileRow, QuestionsRow } from '#pwa/sync/progress/question-rows.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import { retryAfterFailure } from '#pwa/sync/scheduler.ts'
import { type JsonResponse, readError } from '#pwa/sync/transport.ts'
import { Day } from '#shared/contract/fields.ts'
import { changeFacts, readFacts } from './store.ts'

/**
 * What an answer other than the hoped-for one means. `everything`: nothing gets through now, or the server asks for patience.
 * `this`: the server fails at this one alone. `refused`: it'll never take this one as it is. `limit`: it takes it from that day on.
 */
export type Failure =
  | { kind: 'paused'; paused: 'login' | 'access' | 'member' }
  | { kind: 'everything'; askedWaitMs: number | null; isUnreachable: boolean; isTooMuch: boolean }
  | { kind: 'this'; askedWaitMs: number | null }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'limit'; from: string }

const Limit = v.object({ error: v.object({ from: Day }) })

/** Only our own error format may pause or refuse anything: a Wi-Fi sign-in page may come with any status. */
export function failureOf(answer: JsonResponse | null, wall: number): Failure {
  const everything = { kind: 'everything', askedWaitMs: null, isUnreachable: true, isTooMuch: false } as const
  if (answer === null) return everything
  const { status, headers, json } = answer
  const askedWaitMs = retryAfterMs(headers.get('retry-after'), wall)
  const error = status >= 400 ? readError(json) : null
  const isTooMuch = status === 429
  if (error === null) return { ...everything, askedWaitMs, isUnreachable: !isTooMuch && status < 500, isTooMuch }
  const limit = v.safeParse(Limit, json)
  if (limit.success) return { kind: 'limit', from: limit.output.error.from }
  const { code, message } = error
  if (status === 401) return { kind: 'paused', paused: 'login' }
  if (status === 403) return { kind: 'paused', paused: 'access' }
  if (code === 'wrong_member') return { kind: 'paused', paused: 'member' }
  if (isTooMuch || status > 500) return { kind: 'everything', askedWaitMs, isUnreachable: false, isTooMuch }
  return status === 500 ? { kind: 'this', askedWaitMs } : { kind: 'refused', code, message }
}

type Failing = { store: MemberStore; platform: Platform }

/** Nothing more is tried in this run. */
export async function pauseOrPostpone(
  { store, platform }: Failing,
  failure: Extract<Failure, { kind: 'paused' | 'everything' }>,
): Promise<'paused' | 'later'> {
  if (failure.kind === 'paused') {
    const change: Partial<QuestionsRow> = { paused: failure.paused, attempts: 0, retryAt: null, isUnreachable: false }
    await changeFacts(store, { ...change, sending: null })
    return 'paused'
  }
  const retry = retryAfterFailure(platform, (await readFacts(store)).attempts, failure.askedWaitMs)
  const { isUnreachable, isTooMuch } = failure
  await changeFacts(store, { ...retry, isUnreachable, isTooMuch, sending: null })
  return 'later'
}

type OneFailure = Exclude<Failure, { kind: 'paused' | 'everything' }>

/** It stays, with its reason, and doesn't hold up the others. */
export async function failEntry({ store, platform }: Failing, { seq, id }: QuestionEntry, failure: OneFailure) {
  const { dexie, questionOutbox, meta } = store
  await dexie.transaction('rw', questionOutbox, meta, async () => {
    const entry = await questionOutbox.get(seq)
    await changeFacts(store, { sending: null })
    if (entry?.id !== id || (await isClosed(store))) return
    const { from: _, ...rest } = entry
    if (failure.kind === 'limit') await questionOutbox.put({ ...rest, from: failure.from, retryAt: null })
    else if (failure.kind === 'this')
      await questionOutbox.put({ ...rest, ...retryAfterFailure(platform, entry.attempts, failure.askedWaitMs) })
    // Nobody's asked about a reading, or about a withdrawal they saw confirmed.
    else if (entry.body.kind === 'read' || (entry.body.kind === 'withdraw' && entry.isRepeat))
      await questionOutbox.delete(seq)
    else {
      const { code, message } = failure
      await questionOutbox.put({ ...rest, state: 'refused', refusal: { code, message } })
    }
  })
}

/** The list says what becomes of a file the server doesn't know. */
export async function failFile({ store, platform }: Failing, { id }: QuestionFileRow, failure: OneFailure) {
  const { dexie, questionFiles, meta } = store
  await dexie.transaction('rw', questionFiles, meta, async () => {
    const file = await questionFiles.get(id)
    if (file?.state !== 'waiting' || (await isClosed(store))) return
    if (failure.kind === 'refused' && failure.code !== 'not_found')
      await questionFiles.put({ ...file, state: 'refused', refusal: failure.message })
    else {
      const asked = failure.kind === 'this' ? failure.askedWaitMs : null
      const { attempts, retryAt } = retryAfterFailure(platform, file.attempts, asked)
      await questionFiles.put({ ...file, attempts, retryAt })
    }
  })
}
