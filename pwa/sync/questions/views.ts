import {
  type QuestionBody,
  type QuestionEntry,
  type QuestionFileRow,
  type QuestionListRow,
  type QuestionsRow,
  questionsOf,
} from '#pwa/sync/progress/question-rows.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import type { Question, QuestionFile, QuestionMessage } from '#shared/contract/questions.ts'
import { londonDay } from '#shared/rules/london.ts'
import { isStillTaken } from '#shared/rules/question-file.ts'
import type {
  QuestionRow,
  QuestionRowState,
  QuestionSync,
  QuestionThread,
  QuestionThreads,
  SendState,
  ThreadFile,
  ThreadFileState,
  ThreadMessage,
  WaitReason,
} from './shapes.ts'

/** How much of what was asked a row shows. */
export const excerptLength = 200

export const excerptOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > excerptLength ? `${line.slice(0, excerptLength - 1).trimEnd()}…` : line
}

/** One transaction, of small rows: what was said in each isn't read. */
export async function readThreads(store: MemberStore): Promise<QuestionThreads> {
  const { dexie, questions, questionOutbox, questionFiles, meta } = store
  const [stored, entries, files, row] = await dexie.transaction(
    'r',
    [questions, questionOutbox, questionFiles, meta],
    () =>
      Promise.all([
        questions.toArray(),
        questionOutbox.toArray(),
        questionFiles.where('state').equals('waiting').toArray(),
        meta.get('questions'),
      ]),
  )
  const facts = questionsOf(row)
  const entriesOf = Map.groupBy(entries, ({ questionId }) => questionId)
  const filesOf = Map.groupBy(files, ({ questionId }) => questionId)
  const known = new Set(stored.map(({ id }) => id))
  const rows = stored.map((one) => overlaid(one, entriesOf.get(one.id) ?? [], filesOf.get(one.id) ?? [], facts))
  const fresh = entries.flatMap((entry) => {
    const { body, questionId } = entry
    return body.kind === 'ask' && !known.has(questionId)
      ? [rowOfEntry(entry, body, filesOf.get(questionId) ?? [], facts)]
      : []
  })
  return {
    rows: [...fresh, ...rows].toSorted((one, other) => (one.askedAt < other.askedAt ? 1 : -1)),
    sync: syncOf(facts, entries, files),
  }
}

/** Null if this phone knows of none of this id. */
export async function readThread(store: MemberStore, id: string): Promise<QuestionThread | null> {
  const { dexie, questions, questionRecords, questionOutbox, questionFiles, meta } = store
  const [stored, record, entries, files, row] = await dexie.transaction(
    'r',
    [questions, questionRecords, questionOutbox, questionFiles, meta],
    () =>
      Promise.all([
        questions.get(id),
        questionRecords.get(id),
        questionOutbox.where('questionId').equals(id).sortBy('seq'),
        questionFiles.where('questionId').equals(id).toArray(),
        meta.get('questions'),
      ]),
  )
  const facts = questionsOf(row)
  const waiting = files.filter(({ state }) => state === 'waiting')
  const here = new Map(files.map((file) => [file.id, file]))
  if (stored && record) {
    const { question } = record
    const shown = overlaid(stored, entries, waiting, facts)
    const known = new Set(question.messages.map((message) => message.id))
    const added = entries.flatMap((entry) => ownMessage(entry, here, facts) ?? []).filter((one) => !known.has(one.id))
    const isOver = shown.state.kind === 'withdrawn'
    return {
      ...shown,
      messages: isOver ? [] : [...question.messages.map((message) => messageOf(message, here)), ...added],
      mayPublish: question.mayPublish,
      readByCoachAt: question.readByCoachAt,
      answeredAt: question.answeredAt,
      publishedAt: question.publishedAt,
      canWithdraw: !isOver && !hasAnswer(question),
      canAdd: !isOver && question.state !== 'closed',
      withdrawRefusal: withdrawRefusalOf(entries),
    }
  }
  const ask = entries.find(({ body }) => body.kind === 'ask')
  if (ask?.body.kind !== 'ask') return null
  return {
    ...rowOfEntry(ask, ask.body, waiting, facts),
    messages: entries.flatMap((entry) => ownMessage(entry, here, facts) ?? []),
    mayPublish: ask.body.mayPublish,
    readByCoachAt: null,
    answeredAt: null,
    publishedAt: null,
    canWithdraw: true,
    canAdd: ask.state !== 'refused',
    withdrawRefusal: withdrawRefusalOf(entries),
  }
}

export const hasAnswer = ({ answeredAt, messages }: Pick<Question, 'answeredAt' | 'messages'>): boolean =>
  answeredAt !== null || messages.some(({ author }) => author === 'coach')

const withdrawRefusalOf = (entries: readonly QuestionEntry[]): string | null =>
  entries.find(({ body, state }) => body.kind === 'withdraw' && state === 'refused')?.refusal?.message ?? null

/** The row to store of a question as the server has it. */
export function listRowOf(question: Question): QuestionListRow {
  const { id, video, call, state, askedAt, answeredAt, readByCoachAt, version, messages } = question
  const [first] = messages
  const own = messages.filter(({ author }) => author === 'member').flatMap(({ files }) => files)
  return {
    id,
    about: video
      ? { kind: 'video', videoId: video.id, slug: video.slug, title: video.title, seconds: video.seconds }
      : call && { kind: 'call', callId: call.id, startsAt: call.startsAt },
    excerpt: excerptOf(first?.text ?? ''),
    photos: own.filter(({ kind }) => kind === 'photo').length,
    hasVoice: own.some(({ kind }) => kind === 'voice'),
    state,
    filesLeft: own.filter(isStillTaken).length,
    askedAt,
    answeredAt,
    readByCoachAt,
    isUnread: question.isUnread ? 1 : 0,
    version,
  }
}

function overlaid(
  row: QuestionListRow,
  entries: readonly QuestionEntry[],
  waiting: readonly QuestionFileRow[],
  facts: QuestionsRow,
): QuestionRow {
  const { id, about, excerpt, photos, hasVoice, askedAt } = row
  const withdrawal = entries.find(({ body, state }) => body.kind === 'withdraw' && state === 'waiting')
  // Once the server has lost it, it's on its way again.
  const repeat = entries.find(({ body }) => body.kind === 'ask')
  return {
    id,
    about,
    excerpt,
    photos,
    hasVoice,
    askedAt,
    state: withdrawal ? { kind: 'withdrawn', isDone: false } : repeat ? unsentState(repeat, facts) : storedState(row),
    filesLeft: waiting.length,
    isUnread: row.isUnread === 1 && !entries.some(({ body }) => body.kind === 'read'),
    hasRefusal: entries.some(({ body, state }) => state === 'refused' && body.kind !== 'withdraw'),
  }
}

function storedState({ state, askedAt, answeredAt, readByCoachAt }: QuestionListRow): QuestionRowState {
  if (state === 'closed') return { kind: state }
  if (state === 'withdrawn') return { kind: state, isDone: true }
  if (state === 'answered') return { kind: 'answered', at: answeredAt ?? askedAt }
  return state === 'read' ? { kind: 'read', at: readByCoachAt ?? askedAt } : { kind: 'sent', at: askedAt }
}

type Ask = Extract<QuestionBody, { kind: 'ask' }>

function rowOfEntry(
  entry: QuestionEntry,
  { text, at, files, shown }: Ask,
  waiting: readonly QuestionFileRow[],
  facts: QuestionsRow,
): QuestionRow {
  return {
    id: entry.questionId,
    about: shown,
    excerpt: excerptOf(text),
    photos: files.filter(({ kind }) => kind === 'photo').length,
    hasVoice: files.some(({ kind }) => kind === 'voice'),
    state: unsentState(entry, facts),
    filesLeft: waiting.length,
    askedAt: toIso(at),
    isUnread: false,
    hasRefusal: entry.state === 'refused',
  }
}

type Unsent = Exclude<SendState, { kind: 'sent' }>

function unsentState({ state, refusal, from, id, body }: QuestionEntry, facts: QuestionsRow): Unsent {
  if (state === 'refused') return { kind: 'refused', message: refusal?.message ?? '' }
  if (from !== undefined) return { kind: 'later', from }
  // Without signal, too, the phone knows that there's no room left.
  const free = facts.allowance?.from ?? null
  if (body.kind === 'ask' && free !== null && londonDay(new Date(body.at)) < free) return { kind: 'later', from: free }
  return facts.sending === id ? { kind: 'sending' } : { kind: 'waiting', why: whyWaiting(facts) }
}

function whyWaiting({ paused, isUnreachable, isTooMuch, attempts }: QuestionsRow): WaitReason | null {
  if (paused !== null) return paused
  if (isUnreachable) return 'signal'
  if (attempts === 0) return null
  return isTooMuch ? 'many' : 'server'
}

function ownMessage(
  entry: QuestionEntry,
  here: ReadonlyMap<string, QuestionFileRow>,
  facts: QuestionsRow,
): ThreadMessage | null {
  const { body, id } = entry
  if (body.kind !== 'ask' && body.kind !== 'message') return null
  return {
    id,
    author: 'member',
    name: null,
    text: body.text,
    link: null,
    files: body.files.flatMap((file) => ownFile(here.get(file.id)) ?? []),
    at: toIso(body.at),
    state: unsentState(entry, facts),
  }
}

function ownFile(row: QuestionFileRow | undefined): ThreadFile | null {
  if (row === undefined) return null
  const { id, kind, type, bytes, received, refusal, durationMs, state } = row
  return {
    id,
    kind,
    state: state === 'waiting' ? (received > 0 ? 'sending' : 'waiting') : state === 'refused' ? 'refused' : 'sent',
    bytes,
    sentBytes: received,
    refusal,
    type,
    width: null,
    height: null,
    durationMs,
    hasAac: false,
    isHere: true,
  }
}

const messageOf = (message: QuestionMessage, here: ReadonlyMap<string, QuestionFileRow>): ThreadMessage => ({
  ...message,
  files: message.files.map((file) => serverFile(file, here.get(file.id))),
  state: { kind: 'sent' },
})

/** The phone knows better how far it has come, and what it is while the server hasn't read it. */
function serverFile(file: QuestionFile, row: QuestionFileRow | undefined): ThreadFile {
  const { id, kind, bytes, received, refusal, type, width, height, durationMs, hasAac } = file
  const own = row && ownFile(row)
  const isOver = file.state === 'ready' || file.state === 'refused'
  return {
    id,
    kind,
    state: comingState(file, own),
    bytes,
    sentBytes: isOver ? bytes : Math.max(received, own?.sentBytes ?? 0),
    refusal: refusal ?? own?.refusal ?? null,
    type: type ?? own?.type ?? null,
    width,
    height,
    durationMs: durationMs ?? own?.durationMs ?? null,
    hasAac,
    isHere: row !== undefined,
  }
}

function comingState({ state, received, bytes }: QuestionFile, own: ThreadFile | null | undefined): ThreadFileState {
  if (state === 'ready' || state === 'refused') return state
  if (own) return own.state
  return received === bytes ? 'sent' : received > 0 ? 'sending' : 'waiting'
}

function syncOf(
  facts: QuestionsRow,
  entries: readonly QuestionEntry[],
  files: readonly QuestionFileRow[],
): QuestionSync {
  const shown = entries.filter(({ body }) => body.kind !== 'read')
  return {
    waiting: shown.filter(({ state }) => state === 'waiting').length + files.length,
    refused: shown.filter(({ state }) => state === 'refused').length,
    paused: facts.paused,
    isReachable: !facts.isUnreachable,
    heardAt: facts.heardAt,
    allowance: facts.allowance,
  }
}

const toIso = (at: number): string => new Date(at).toISOString()
