import type { ConfirmedEntry, QuestionEntry, QuestionFileRow, QuestionsRow } from '#pwa/sync/progress/question-rows.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import type { Question, QuestionFile, QuestionList, QuestionResponse } from '#shared/contract/questions.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { isStillTaken } from '#shared/rules/question-file.ts'
import { deleteFiles } from './drafts.ts'
import { changeFacts, questionTablesOf, readFacts } from './store.ts'
import { listRowOf } from './views.ts'

/** How long what's confirmed is kept to be sent again. No site is restored from an older backup in earnest. */
export const confirmedMs = 30 * dayMs

const healthy = { paused: null, attempts: 0, retryAt: null, isWaitAsked: false, isUnreachable: false, sending: null }

type Heard = { generation: string; serverTime: number }

/** Another copy of the database answers than the last time, so the list has to say what it has. */
const hearAgain = (facts: QuestionsRow, generation: string): Partial<QuestionsRow> =>
  facts.generation !== null && facts.generation !== generation ? { version: null } : {}

/** Takes the server's answer to what was sent: it's confirmed, and the question is as the server has it. */
export async function settleEntry(store: MemberStore, sent: QuestionEntry, response: QuestionResponse): Promise<void> {
  const { questionOutbox, questionConfirmed } = store
  const heard = { generation: response.generation, serverTime: Date.parse(response.serverTime) }
  await store.dexie.transaction('rw', questionTablesOf(store), async () => {
    if (await isClosed(store)) return
    const isHere = (await questionOutbox.get(sent.seq))?.id === sent.id
    if (isHere) {
      await questionOutbox.delete(sent.seq)
      if (sent.body.kind !== 'read') await questionConfirmed.put(confirmedOf(sent, heard))
    }
    await putQuestions(store, [response.question], heard)
    const facts = await readFacts(store)
    // A withdrawal goes through without access too.
    const paused = sent.body.kind === 'withdraw' && facts.paused === 'access' ? facts.paused : null
    await changeFacts(store, {
      ...healthy,
      paused,
      heardAt: response.serverTime,
      ...hearAgain(facts, response.generation),
      generation: response.generation,
    })
  })
}

const confirmedOf = (
  { seq, id, questionId, body }: QuestionEntry,
  { generation, serverTime }: Heard,
): ConfirmedEntry => ({ seq, id, questionId, body, confirmedAt: serverTime, generation })

async function forgetQuestion(store: MemberStore, questionId: string): Promise<void> {
  await store.questions.delete(questionId)
  await store.questionRecords.delete(questionId)
  await deleteFiles(store, await store.questionFiles.where('questionId').equals(questionId).primaryKeys())
}

/** In a few requests, however many there are. A withdrawn question leaves nothing but its row. */
async function putQuestions(store: MemberStore, all: readonly Question[], heard: Heard): Promise<void> {
  const { questions, questionRecords, questionOutbox, questionFiles } = store
  const read = new Set(
    (await questionOutbox.toArray()).flatMap(({ body }) => (body.kind === 'read' ? body.messageId : [])),
  )
  // Not `uniqueKeys`: over no rows, a Safari from before July 2026 answers it with an error.
  const withFiles = new Set((await questionFiles.orderBy('questionId').keys()).map(String))
  const rows = all.map((question) => ({ question, row: listRowOf(question) }))
  await questions.bulkPut(
    rows.map(({ question, row }) => (read.has(question.messages.at(-1)?.id ?? '') ? { ...row, isUnread: 0 } : row)),
  )
  await questionRecords.bulkPut(all.map((question) => ({ id: question.id, question })))
  for (const question of all) {
    if (question.state === 'withdrawn') await forgetWithdrawn(store, question.id)
    else if (withFiles.has(question.id)) await agreeOnFiles(store, question, heard)
  }
}

async function forgetWithdrawn(store: MemberStore, questionId: string): Promise<void> {
  const { questionConfirmed, questionFiles } = store
  await questionConfirmed
    .where('questionId')
    .equals(questionId)
    .filter(({ body }) => body.kind !== 'withdraw')
    .delete()
  await deleteFiles(store, await questionFiles.where('questionId').equals(questionId).primaryKeys())
}

/** What the server has of each file counts, whichever way it has gone. */
async function agreeOnFiles(store: MemberStore, question: Question, heard: Heard): Promise<void> {
  const { questionFiles } = store
  const rows = await questionFiles.where('questionId').equals(question.id).toArray()
  if (rows.length === 0) return
  const files = new Map(question.messages.flatMap((message) => message.files).map((file) => [file.id, file]))
  const there = new Set(question.messages.map(({ id }) => id))
  for (const row of rows) {
    const file = files.get(row.id)
    if (file) await questionFiles.put(agreed(row, file, heard))
    else if (row.messageId && there.has(row.messageId)) await deleteFiles(store, [row.id])
  }
}

/** The row once the server has said how far the file has come. */
export function agreed(row: QuestionFileRow, file: QuestionFile, { generation, serverTime }: Heard): QuestionFileRow {
  if (row.state === 'kept' || row.state === 'draft') return row
  const { state, received, refusal, durationMs } = file
  const keptAt = row.keptAt ?? serverTime
  if (isStillTaken(file) && received < row.bytes)
    return { ...row, state: 'waiting', received, keptAt: null, generation, retryAt: null }
  if (state === 'refused') return { ...row, state: 'refused', refusal, received: row.bytes, keptAt, generation }
  const length = row.durationMs ?? durationMs
  return { ...row, state: 'sent', received: row.bytes, refusal: null, keptAt, generation, durationMs: length }
}

/** Takes the server's word on one file. Nothing is done for one that has left the phone meanwhile. */
export async function settlePiece(store: MemberStore, file: QuestionFile, generation: string, wall: number) {
  const { questionFiles, questionRecords, meta } = store
  await store.dexie.transaction('rw', questionFiles, questionRecords, meta, async () => {
    const row = await questionFiles.get(file.id)
    if (row === undefined || (await isClosed(store))) return
    await noteFile(store, row, file)
    await questionFiles.put({ ...agreed(row, file, { generation, serverTime: wall }), attempts: 0 })
    const facts = await readFacts(store)
    const again = hearAgain(facts, generation)
    if (facts.attempts > 0 || facts.paused !== null || facts.isUnreachable || again.version === null)
      await changeFacts(store, { ...healthy, ...again })
  })
}

/** What's shown of the question is as the server has just said. */
async function noteFile({ questionRecords }: MemberStore, { questionId }: QuestionFileRow, file: QuestionFile) {
  const record = questionId === null ? undefined : await questionRecords.get(questionId)
  if (!record) return
  const messages = record.question.messages.map((message) => ({
    ...message,
    files: message.files.map((one) => (one.id === file.id ? file : one)),
  }))
  await questionRecords.put({ ...record, question: { ...record.question, messages } })
}

/** When it was asked for, and the version that had been named before. */
type Pulled = Pick<QuestionsRow, 'pulledAt' | 'mark'>

/**
 * Takes the whole list. What another copy of the server confirmed and this one lacks is in the queue again, in its old place, and so
 * is a withdrawal of what isn't withdrawn there.
 */
export async function mergeList(store: MemberStore, list: QuestionList, pulled: Pulled): Promise<void> {
  const { questions, questionRecords, questionOutbox } = store
  const heard = { generation: list.generation, serverTime: Date.parse(list.serverTime) }
  await store.dexie.transaction('rw', questionTablesOf(store), async () => {
    if (await isClosed(store)) return
    await takeBack(store, list)
    const gone = new Set(await questions.toCollection().primaryKeys())
    for (const { id } of list.questions) gone.delete(id)
    await putQuestions(store, list.questions, heard)
    const queued = new Set((await questionOutbox.toArray()).map(({ questionId }) => questionId))
    for (const id of gone) {
      await questions.delete(id)
      await questionRecords.delete(id)
      // On its way again: its files stay.
      if (!queued.has(id)) await forgetQuestion(store, id)
    }
    await allowAgain(store, list)
    await changeFacts(store, {
      ...healthy,
      ...pulled,
      heardAt: list.serverTime,
      version: list.version,
      generation: list.generation,
      allowance: list.allowance,
    })
  })
}

/** The list is the one on this phone. */
export const confirmList = (store: MemberStore, pulled: Pulled): Promise<void> =>
  changeFacts(store, { ...healthy, ...pulled })

async function takeBack(store: MemberStore, { questions, generation }: QuestionList): Promise<void> {
  const { questionConfirmed, questionOutbox, questionFiles } = store
  const there = new Map(questions.map((question) => [question.id, question]))
  const queued = new Set((await questionOutbox.toArray()).map(({ id }) => id))
  for (const entry of await questionConfirmed.toArray()) {
    const question = there.get(entry.questionId)
    const place = placeOf(entry, question, generation)
    if (place === 'gone') await questionConfirmed.delete(entry.seq)
    if (place === 'here' && entry.generation !== generation) await questionConfirmed.put({ ...entry, generation })
    if (place !== 'lost') continue
    await questionConfirmed.delete(entry.seq)
    if (queued.has(entry.id)) continue
    await questionOutbox.put(repeated(entry))
    const files = await questionFiles.where('questionId').equals(entry.questionId).toArray()
    const own = files.filter(({ messageId, state }) => messageId === entry.id && state !== 'draft')
    const again = { state: 'waiting', received: 0, keptAt: null, refusal: null } as const
    await questionFiles.bulkPut(own.map((file): QuestionFileRow => ({ ...file, ...again })))
  }
}

/** Whether the server has what it once confirmed. `gone`: nobody needs it any more. */
function placeOf(entry: ConfirmedEntry, question: Question | undefined, generation: string) {
  const isSameCopy = entry.generation === generation
  if (entry.body.kind === 'withdraw') return (question ? question.state === 'withdrawn' : isSameCopy) ? 'here' : 'lost'
  if (question?.state === 'withdrawn') return 'gone'
  if (question?.messages.some(({ id }) => id === entry.id)) return 'here'
  return isSameCopy ? 'here' : 'lost'
}

const repeated = ({ confirmedAt: _, generation: __, ...entry }: ConfirmedEntry): QuestionEntry => ({
  ...entry,
  state: 'waiting',
  wasTried: true,
  attempts: 0,
  retryAt: null,
  isWaitAsked: false,
  isRepeat: true,
})

/** There's room in the tier's month again, such as after an upgrade. */
async function allowAgain({ questionOutbox }: MemberStore, { allowance }: QuestionList): Promise<void> {
  if (allowance.from !== null || allowance.leftToday === 0 || allowance.leftThisMonth === 0) return
  for (const entry of await questionOutbox.toArray()) {
    if (entry.from === undefined) continue
    const { from: _, ...rest } = entry
    await questionOutbox.put({ ...rest, attempts: 0, retryAt: null })
  }
}
