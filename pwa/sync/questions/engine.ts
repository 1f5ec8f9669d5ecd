import { forgetShared } from '#pwa/lib/shared-cache.ts'
import { watchDatabase } from '#pwa/sync/database.ts'
import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import type { TakenShare } from '#pwa/sync/progress/question-rows.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import { createScheduler, waitLeftMs } from '#pwa/sync/scheduler.ts'
import { hasEnded } from '#pwa/sync/transactions.ts'
import type { Room } from '#shared/rules/shelf.ts'
import {
  addPhoto,
  changeDraft,
  type Drafter,
  discardDraft,
  readDraft,
  readDrafts,
  removeDraftFile,
  startVoice,
} from './drafts.ts'
import { readFileHere } from './files.ts'
import { enterNotes } from './notes.ts'
import {
  askDraft,
  discardEntry,
  markQuestionRead,
  mendEntry,
  readUnsent,
  retryEntry,
  withdrawQuestion,
} from './outbox.ts'
import { type QuestionsOutcome, readNextWait, sendQuestions } from './sending.ts'
import type { AskOutcome, Draft, DraftChange, DraftStart, UnsentQuestion, VoiceWriter } from './shapes.ts'
import { readNews } from './store.ts'

/** One member's questions on one device. Every promise rejects only if the store itself fails, or with a `DraftError`. */
export type Questions = {
  store: MemberStore
  /** Sends what waits, and asks for what's new, now and at each return of the signal. */
  start(): void
  /** Turns the draft into a question, or adds it to one. Resolves once it's kept on this phone; pressed twice it's the same. */
  ask(key: string): Promise<AskOutcome>
  /** Withdraws a question that isn't answered. What this phone has of its files goes at once. */
  withdraw(questionId: string): Promise<void>
  /** The member has what's in it on screen. */
  markRead(questionId: string): Promise<void>
  /** A photo or voice note; from this phone if it's here, else from the server, and then it's kept. Null if neither has it now. */
  readFile(fileId: string): Promise<Blob | null>
  /** Sends something refused once more, as it is. `id` is the message's. */
  retry(id: string): Promise<void>
  /** The key of the draft that something refused becomes, to mend it; null if it isn't there any more. */
  mend(id: string): Promise<string | null>
  /** Deletes something unsent or refused from this phone, but not from the server. `id` is the message's. */
  discard(id: string): Promise<void>
  readDraft(key: string): Promise<Draft | null>
  readDrafts(): Promise<Draft[]>
  changeDraft(key: string, change: DraftChange, start?: DraftStart): Promise<void>
  discardDraft(key: string): Promise<void>
  /** The id it's stored under. Rejects with a `DraftError`. `shared`: what of its share has been dealt with then. */
  addPhoto(key: string, photo: Blob, start?: DraftStart, shared?: TakenShare): Promise<string>
  removeFile(fileId: string): Promise<void>
  /** Rejects with a `DraftError`. */
  startVoice(key: string, type: string, start?: DraftStart): Promise<VoiceWriter>
  /** What a logout would delete. */
  readUnsent(): Promise<UnsentQuestion[]>
  syncNow(): Promise<QuestionsOutcome>
  settled(): Promise<void>
}

export type QuestionsParts = {
  engine: Pick<Engine, 'store' | 'platform' | 'signal' | 'isReadOnly' | 'sendWaiting'>
  /** How much room the browser has. */
  room: () => Promise<Room>
}

/** How often an open page looks whether it's time to ask for what's new. */
const pullEveryMs = 5 * 60_000

export function createQuestions({ engine, room }: QuestionsParts): Questions {
  const { store, platform, signal } = engine
  const drafter: Drafter = { store, platform }
  const sender = { store, platform, signal, room, sendWaiting: engine.sendWaiting }
  const { flush, wakeUp, settled } = createScheduler<QuestionsOutcome>({
    platform,
    stopping: signal,
    stopped: 'stopped',
    isOpen: () => !hasEnded(store.dexie),
    run: (reason) => sendQuestions(sender, reason),
    nextDelay: (outcome) => nextDelay(store, platform, outcome),
    usualDelayMs: pullEveryMs,
  })
  const after = async <Result>(written: Promise<Result>): Promise<Result> => {
    const result = await written
    platform.requestBackgroundSync()
    wakeUp('write')
    return result
  }
  const own = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (engine.isReadOnly) throw new Error('Nothing can be asked while looking at someone else’s account.')
    return work()
  }
  /** A draft has its share's id as its key. What's left of it would start that draft again. */
  const forgetShare = (key: string) => forgetShared(key).catch(platform.report)
  const ask = async (key: string) => {
    const outcome = await after(askDraft(drafter, key))
    if (outcome.kind === 'kept') await forgetShare(key)
    return outcome
  }
  const discard = async (key: string) => {
    await forgetShare(key)
    await discardDraft(drafter, key)
  }
  return {
    store,
    start: () => {
      if (engine.isReadOnly) return
      const wake = (reason: WakeReason) => wakeUp(reason)
      signal.addEventListener('abort', platform.onWake(wake))
      signal.addEventListener(
        'abort',
        watchNews(store, platform, () => wakeUp('timer')),
      )
      enterNotes(drafter).then(() => wakeUp('start'), platform.report)
    },
    ask: (key) => own(() => ask(key)),
    withdraw: (questionId) => own(() => after(withdrawQuestion(drafter, questionId))),
    markRead: async (questionId) => {
      if (!engine.isReadOnly && (await markQuestionRead(drafter, questionId))) wakeUp('write')
    },
    readFile: (fileId) => readFileHere(sender, fileId),
    retry: (id) => own(() => after(retryEntry(store, id))),
    mend: (id) => own(() => mendEntry(drafter, id)),
    discard: (id) => own(() => discardEntry(drafter, id)),
    readDraft: (key) => readDraft(store, key),
    readDrafts: () => readDrafts(store),
    changeDraft: (key, change, start) => own(() => changeDraft(drafter, key, { change, ...(start && { start }) })),
    discardDraft: (key) => own(() => discard(key)),
    addPhoto: (key, photo, start, shared) =>
      own(() => addPhoto(drafter, key, { photo, ...(start && { start }), ...(shared && { shared }) })),
    removeFile: (fileId) => own(() => removeDraftFile(store, fileId)),
    startVoice: (key, type, start) => own(() => startVoice(drafter, key, { type, ...(start && { start }) })),
    readUnsent: () => readUnsent(store),
    syncNow: () => flush('manual'),
    settled,
  }
}

/** The ticks' answer may tell of news in the middle of a visit. What's paused waits for the person. */
const watchNews = (store: MemberStore, platform: Platform, wake: () => void) =>
  watchDatabase(store.dexie, () => readNews(store), {
    changed: ({ facts, hasNews }) => {
      if (hasNews && facts.paused === null) wake()
    },
    failed: platform.report,
  })

/** Once all has gone, nothing waits: what's made since asks for a run of its own. */
const nextDelay = async (store: MemberStore, platform: Platform, outcome: QuestionsOutcome): Promise<number> =>
  (outcome !== 'done' && waitLeftMs(await readNextWait(store), platform.wall())) || pullEveryMs
