import * as v from 'valibot'
import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import type { QuestionEntry, QuestionFileRow, QuestionsRow } from '#pwa/sync/progress/question-rows.ts'
import { hasUnsentTicks, isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import { isDue, mayReachServer } from '#pwa/sync/scheduler.ts'
import { requestJson } from '#pwa/sync/transport.ts'
import { QuestionFileResponse, QuestionList, QuestionResponse, questionPieceBytes } from '#shared/contract/questions.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { londonDay } from '#shared/rules/london.ts'
import { isStillTaken } from '#shared/rules/question-file.ts'
import type { Room } from '#shared/rules/shelf.ts'
import { readBytes } from './drafts.ts'
import { type Failure, failEntry, failFile, failureOf, pauseOrPostpone } from './failures.ts'
import { fetchAnswers, tidyFiles } from './files.ts'
import { confirmList, mergeList, settleEntry, settlePiece } from './merge.ts'
import { forgetNote, mendKeyOf } from './notes.ts'
import { changeFacts, readFacts, readNews } from './store.ts'

/** `skipped`: not tried, without signal or because it isn't time yet. */
export type QuestionsOutcome = 'done' | 'skipped' | 'later' | 'paused' | 'stopped'

export type QuestionSender = {
  store: MemberStore
  platform: Platform
  signal: AbortSignal
  room: () => Promise<Room>
  /** Sends the ticks, positions and commitments that wait, also what failed a moment ago. */
  sendWaiting: () => Promise<unknown>
}

/** A piece may take its time: at 20 kbit/s it's 26 seconds. */
const pieceTimeoutMs = 60_000

type StepResult = 'more' | 'others first' | QuestionsOutcome

/**
 * Sends what waits: first withdrawals, then all texts, then each file piece by piece, and asks for what's new. Each step reads what's
 * next, holds the lock between tabs for one request, and leaves the store consistent, so the browser may kill the tab between any two.
 * Ticks and positions go before every step.
 */
export async function sendQuestions(sender: QuestionSender, reason: WakeReason): Promise<QuestionsOutcome> {
  const { store, platform, signal } = sender
  const mayPull = reason !== 'manual' && reason !== 'write'
  const run: Run = { reason, mayPull, mustPull: reason === 'manual', isFirst: false, tried: new Set(), bytes: null }
  for (;;) {
    if (!mayReachServer(platform, reason)) return 'skipped'
    const result = await takeStepAlone(sender, run)
    if (signal.aborted) return 'stopped'
    if (result === 'others first') await sender.sendWaiting()
    run.isFirst = result === 'others first'
    if (result === 'others first' || result === 'more') continue
    const [wait] = await Promise.all([
      readNextWait(store),
      tidyFiles(sender),
      result === 'done' && fetchAnswers(sender),
    ])
    return result === 'done' && wait !== null ? 'later' : result
  }
}

/**
 * How long the last answer does where the ticks' answers tell of no news. What's allowed isn't in them: it changes with the days, and
 * with the tier, which someone who may ask nothing now has perhaps just changed.
 */
const quietMs = 60 * 60_000
const heldMs = 5 * 60_000

async function readPullDue(store: MemberStore, { wall }: Platform): Promise<boolean> {
  const { facts, hasNews } = await readNews(store)
  const { version, pulledAt, allowance } = facts
  const isHeld = allowance !== null && (allowance.from !== null || allowance.perMonth === 0)
  const restMs = isHeld ? heldMs : quietMs
  return hasNews || version === null || pulledAt === null || Math.abs(wall() - pulledAt) >= restMs
}

/** Ticks and positions, which are small. */
async function hasOthers(store: MemberStore): Promise<boolean> {
  const [positions, hasTicks] = await Promise.all([
    store.positions.filter(({ isPending }) => isPending).count(),
    hasUnsentTicks(store),
  ])
  return positions > 0 || hasTicks
}

/**
 * `mayPull`: whether it's time for that isn't known yet. `isFirst`: what goes before has just been sent. `tried`: what failed in this
 * run, so that it doesn't hold up the others. `bytes`: the file under way, read once.
 */
type Run = {
  reason: WakeReason
  mayPull: boolean
  mustPull: boolean
  isFirst: boolean
  tried: Set<string>
  bytes: { id: string; content: Uint8Array<ArrayBuffer> } | null
}

async function takeStepAlone(sender: QuestionSender, run: Run): Promise<StepResult> {
  const { store, platform, signal } = sender
  const results: StepResult[] = []
  await platform.locks.request(`alliance-questions-${store.memberId}`, { signal }, async (lost) => {
    if (!lost.aborted) results.push(await takeStep(sender, run))
  })
  return results[0] ?? 'stopped'
}

async function takeStep(sender: QuestionSender, run: Run): Promise<StepResult> {
  const { store, platform } = sender
  // Asked for together, they share a transaction. On a cheap phone each costs more than what it reads.
  const [facts, entry, file, isBehind, isPullDue] = await Promise.all([
    readFacts(store),
    nextEntry(sender, run),
    nextFile(sender, run),
    hasOthers(store),
    run.mayPull && readPullDue(store, platform),
  ])
  run.mayPull = false
  if (isPullDue) run.mustPull = true
  // Left by a tab that was killed while sending.
  if (facts.sending !== null) await changeFacts(store, { sending: null })
  const withdrawal = entry?.body.kind === 'withdraw' ? entry : null
  // A withdrawal needs a login, and no access.
  const isPaused = facts.paused !== null && !(facts.paused === 'access' && withdrawal)
  if (isPaused && (run.reason === 'write' || run.reason === 'timer')) return 'paused'
  if (!isDue(facts, run.reason, platform.wall())) return 'skipped'
  const mustAsk = run.mustPull || (facts.generation !== null && facts.version === null)
  // A piece is large, so before each the queues are asked themselves.
  const isPiece = file !== null && entry === null && !mustAsk
  if (!run.isFirst && (isPiece || (isBehind && (entry !== null || mustAsk)))) return 'others first'
  if (withdrawal) return sendEntry(sender, run, withdrawal)
  // What another copy of the server has decides what else is sent at all.
  if (facts.generation !== null && facts.version === null) return pull(sender, run, facts)
  if (entry) return sendEntry(sender, run, entry)
  if (run.mustPull) return pull(sender, run, facts)
  if (file) return sendPiece(sender, run, file)
  return 'done'
}

async function nextEntry({ store, platform }: QuestionSender, run: Run): Promise<QuestionEntry | null> {
  const due = (await readSendable(store)).filter((entry) => isEntryDue(entry, run, platform.wall()))
  return due.find(({ body }) => body.kind === 'withdraw') ?? due[0] ?? null
}

/** In the order made, without what's added to a question that hasn't gone, or that's a draft again to be mended. */
async function readSendable({ questionOutbox, questionDrafts }: MemberStore): Promise<QuestionEntry[]> {
  const entries = await questionOutbox.orderBy('seq').toArray()
  if (entries.length === 0) return []
  const held = new Set((await questionDrafts.toArray()).map(({ id }) => id))
  return entries.filter(({ questionId, body }) => {
    const isHeld = held.has(questionId) && body.kind !== 'withdraw'
    if (body.kind === 'ask') held.add(questionId)
    return !isHeld
  })
}

function isEntryDue(entry: QuestionEntry, { reason, tried }: Run, wall: number): boolean {
  if (entry.state === 'refused' || tried.has(entry.id)) return false
  if (entry.from !== undefined && reason !== 'manual' && londonDay(new Date(wall)) < entry.from) return false
  return isDue(entry, reason, wall)
}

/** Once its message is there. */
async function nextFile({ store, platform }: QuestionSender, run: Run): Promise<QuestionFileRow | null> {
  const waiting = await store.questionFiles.where('state').equals('waiting').sortBy('id')
  if (waiting.length === 0) return null
  const unsent = new Set((await store.questionOutbox.toArray()).map(({ id }) => id))
  const isNext = (file: QuestionFileRow) =>
    !run.tried.has(file.id) &&
    !unsent.has(file.messageId ?? '') &&
    isDue({ retryAt: file.retryAt, isWaitAsked: false }, run.reason, platform.wall())
  return waiting.find(isNext) ?? null
}

/** When something is next to be tried, on the device's clock; null if nothing waits. */
export async function readNextWait(store: MemberStore): Promise<number | null> {
  const [facts, entries, sendable, files] = await Promise.all([
    readFacts(store),
    store.questionOutbox.toArray(),
    readSendable(store),
    store.questionFiles.where('state').equals('waiting').toArray(),
  ])
  const unsent = new Set(entries.map(({ id }) => id))
  const waits = [
    ...sendable.filter(({ state, from }) => state === 'waiting' && from === undefined),
    ...files.filter(({ messageId }) => !unsent.has(messageId ?? '')),
  ].map(({ retryAt }) => retryAt ?? 0)
  if (waits.length === 0) return null
  return Math.max(facts.retryAt ?? 0, Math.min(...waits))
}

async function sendEntry(sender: QuestionSender, run: Run, entry: QuestionEntry): Promise<StepResult> {
  const { store, platform, signal } = sender
  if (!(await markTried(store, entry))) return (await isClosed(store)) ? 'stopped' : 'more'
  const { path, body } = requestOf(entry, store.memberId)
  const answer = await requestJson(sender, { path, init: jsonPost(body) })
  if (signal.aborted) return 'stopped'
  const read = answer?.status === 200 ? v.safeParse(QuestionResponse, answer.json) : null
  if (read?.success) {
    await settleEntry(store, entry, read.output)
    forgetNote(sender, mendKeyOf(entry.id))
    return 'more'
  }
  const failure = failureOf(answer, platform.wall())
  if (failure.kind === 'paused' || failure.kind === 'everything') return pauseOrPostpone(sender, failure)
  run.tried.add(entry.id)
  await failEntry(sender, entry, failure)
  return 'more'
}

/** False if it was withdrawn or deleted meanwhile. */
async function markTried(store: MemberStore, { seq, id }: QuestionEntry): Promise<boolean> {
  const { dexie, questionOutbox, meta } = store
  return dexie.transaction('rw', questionOutbox, meta, async () => {
    const entry = await questionOutbox.get(seq)
    if (entry?.id !== id || (await isClosed(store))) return false
    await questionOutbox.put({ ...entry, wasTried: true })
    await changeFacts(store, { sending: id })
    return true
  })
}

const jsonPost = (body: object): RequestInit => ({
  method: 'POST',
  credentials: 'include',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

const questionsPath = '/api/members/questions'

function requestOf({ id, questionId, body }: QuestionEntry, memberId: string): { path: string; body: object } {
  const own = `${questionsPath}/${questionId}`
  if (body.kind === 'withdraw') return { path: `${own}/withdraw`, body: { memberId } }
  if (body.kind === 'read') return { path: `${own}/read`, body: { messageId: body.messageId } }
  const { text, at, files } = body
  const message = { id, memberId, at: new Date(at).toISOString(), text, files }
  if (body.kind === 'message') return { path: `${own}/messages`, body: message }
  const { origin, about, mayPublish } = body
  return { path: questionsPath, body: { ...message, origin, about, mayPublish } }
}

async function pull(sender: QuestionSender, run: Run, { version }: QuestionsRow): Promise<StepResult> {
  const { store, platform, signal } = sender
  const query = new URLSearchParams({ memberId: store.memberId, ...(version === null ? {} : { version }) })
  const { told: mark } = await readNews(store)
  const answer = await requestJson(sender, { path: `${questionsPath}?${query}`, init: { credentials: 'include' } })
  if (signal.aborted) return 'stopped'
  const read = answer?.status === 200 ? v.safeParse(QuestionList, answer.json) : null
  const failure = failureOf(answer, platform.wall())
  const pulled = { pulledAt: platform.wall(), mark }
  if (read?.success) await mergeList(store, read.output, pulled)
  else if (answer?.status === 204 && version !== null) await confirmList(store, pulled)
  else return pauseOrPostpone(sender, failure.kind === 'paused' ? failure : asEverything(failure))
  run.mustPull = false
  return 'more'
}

const asEverything = (failure: Failure) =>
  failure.kind === 'everything'
    ? failure
    : ({ kind: 'everything', askedWaitMs: null, isUnreachable: false, isTooMuch: false } as const)

async function sendPiece(sender: QuestionSender, run: Run, file: QuestionFileRow): Promise<StepResult> {
  const { store, platform, signal } = sender
  if (run.bytes?.id !== file.id) {
    const content = await readBytes(store, file.id)
    if (content === null) return loseFile(store, file)
    run.bytes = { id: file.id, content }
  }
  const { content } = run.bytes
  const path = `/api/members/question-files/${file.id}`
  const piece = content.subarray(file.received, file.received + questionPieceBytes)
  const answer = await requestJson(sender, {
    path,
    timeoutMs: pieceTimeoutMs,
    init: {
      method: 'PATCH',
      credentials: 'include',
      headers: { 'Content-Type': chunkType, [offsetHeader]: String(file.received) },
      body: piece,
    },
  })
  if (signal.aborted) return 'stopped'
  const state = answer?.status === 409 ? await requestJson(sender, { path, init: { credentials: 'include' } }) : answer
  const read = state?.status === 200 ? v.safeParse(QuestionFileResponse, state.json) : null
  if (read?.success) {
    const { file: there, generation } = read.output
    // The same answer again and again would be asked for ever.
    if (isStillTaken(there) && there.received <= file.received) run.tried.add(file.id)
    await settlePiece(store, there, generation, platform.wall())
    return 'more'
  }
  const failure = failureOf(state, platform.wall())
  if (failure.kind === 'paused' || failure.kind === 'everything') return pauseOrPostpone(sender, failure)
  run.tried.add(file.id)
  // The list says what became of it.
  if (failure.kind === 'refused' && failure.code === 'not_found') run.mustPull = true
  await failFile(sender, file, failure)
  return 'more'
}

/** The browser has torn what it kept. */
async function loseFile({ questionFiles }: MemberStore, { id }: QuestionFileRow): Promise<StepResult> {
  const refusal = 'We’ve lost this from your phone. Take or record it again.'
  await questionFiles.update(id, { state: 'refused', refusal })
  return 'more'
}
