import * as v from 'valibot'
import type { Platform } from '#pwa/sync/platform.ts'
import type {
  NewQuestionEntry,
  QuestionBody,
  QuestionDraftRow,
  QuestionEntry,
  QuestionFileRow,
  ShownAbout,
} from '#pwa/sync/progress/question-rows.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import { NewQuestion, type NewQuestionFile, NewQuestionMessage } from '#shared/contract/questions.ts'
import { type Drafter, deleteFiles, inOrder, newId, readBytes, sha256Of } from './drafts.ts'
import { forgetNote, mendKeyOf, setNoteAside } from './notes.ts'
import { type AskOutcome, isEmptyDraft, type UnsentQuestion } from './shapes.ts'
import { questionTablesOf } from './store.ts'
import { excerptOf, hasAnswer } from './views.ts'

/** Turns a draft into what's sent. Pressed twice, it's the same question. Resolves once it's on this phone. */
export async function askDraft(drafter: Drafter, key: string): Promise<AskOutcome> {
  const { store, platform } = drafter
  for (;;) {
    const outcome = await tryAsk(store, platform, key)
    if (outcome !== 'unhashed') {
      if (outcome.kind === 'kept') setNoteAside(drafter, key, outcome.id)
      return outcome
    }
    await hashFiles(drafter, key)
  }
}

/** Nothing but the database is awaited inside a transaction, so files are hashed before. */
async function hashFiles({ store, platform }: Drafter, key: string): Promise<void> {
  if (platform.subtle === null) throw new Error('Only a page at https can send files.')
  const { questionFiles } = store
  for (const { id, bytes } of await questionFiles.where('draftKey').equals(key).toArray()) {
    const content = await readBytes(store, id)
    const isWhole = content?.length === bytes && bytes > 0
    const sha256 = isWhole ? await sha256Of(platform.subtle, content) : null
    await store.dexie.transaction('rw', questionFiles, store.questionBytes, store.meta, async () => {
      const row = await questionFiles.get(id)
      if (row?.state !== 'draft' || (await isClosed(store))) return
      // What was recorded meanwhile is hashed with the rest, by the next try.
      if (row.bytes !== bytes) return
      if (sha256 === null) await deleteFiles(store, [id])
      else await questionFiles.put({ ...row, sha256, isOpen: false })
    })
  }
}

async function tryAsk(store: MemberStore, platform: Platform, key: string): Promise<AskOutcome | 'unhashed'> {
  const { dexie, questionDrafts, questionFiles, questionBytes, questionOutbox, videos, meta } = store
  const tables = [questionDrafts, questionFiles, questionBytes, questionOutbox, videos, meta]
  return dexie.transaction('rw', tables, async () => {
    const draft = await questionDrafts.get(key)
    if (!draft || (await isClosed(store))) return { kind: 'empty' }
    const rows = (await questionFiles.where('draftKey').equals(key).toArray()).filter(({ bytes }) => bytes > 0)
    if (isEmptyDraft(countsOf(draft, rows))) return { kind: 'empty' }
    if (rows.some(({ sha256, isOpen }) => sha256 === null || isOpen)) return 'unhashed'
    const files = inOrder(rows).map(announced)
    const at = await correctedNow(store, platform)
    const parsed = parseDraft(draft, at, files)
    if (!parsed.success) return { kind: 'invalid', message: parsed.issues[0].message }
    const text = parsed.output.text
    const questionId = draft.questionId ?? draft.id
    const shown = draft.questionId === null ? await shownAbout(store, draft) : null
    const { origin, about, mayPublish } = draft
    const body: QuestionBody =
      draft.questionId === null
        ? { kind: 'ask', text, at, files, origin, about, mayPublish, shown }
        : { kind: 'message', text, at, files }
    const before = await questionOutbox.where('questionId').equals(questionId).sortBy('seq')
    // The same draft, mended: what was refused goes, and what was added to it meanwhile comes after it.
    const again = before.filter(
      ({ id, body: { kind } }) => id === draft.id || (body.kind === 'ask' && kind === 'message'),
    )
    await questionOutbox.bulkDelete(again.map(({ seq }) => seq))
    await questionOutbox.add(newEntry(draft.id, questionId, body))
    await questionOutbox.bulkAdd(again.filter(({ id }) => id !== draft.id).map((entry) => behind(entry, at)))
    const sent = { state: 'waiting', draftKey: null, messageId: draft.id, questionId } as const
    await questionFiles.bulkPut(rows.map((row): QuestionFileRow => ({ ...row, ...sent })))
    await questionDrafts.delete(key)
    return { kind: 'kept', questionId, id: draft.id }
  })
}

/** Messages stand in the order of their times. */
const behind = ({ seq: _, body, ...entry }: QuestionEntry, at: number): NewQuestionEntry => ({
  ...entry,
  body: body.kind === 'message' ? { ...body, at: Math.max(body.at, at) } : body,
})

const announced = ({ id, kind, bytes, sha256 }: QuestionFileRow): NewQuestionFile => ({
  id,
  kind,
  bytes,
  sha256: sha256 ?? '',
})

const countsOf = ({ text }: QuestionDraftRow, rows: readonly QuestionFileRow[]) => ({
  text,
  photos: rows.map(({ id, type, bytes }) => ({ id, type, bytes })),
  voice: null,
})

/** As the server will read it, so that what it can't take is said while it's still on screen. */
function parseDraft(draft: QuestionDraftRow, at: number, files: NewQuestionFile[]) {
  const { id, text, origin, about, mayPublish, questionId } = draft
  const message = { id, at: new Date(at).toISOString(), text, files }
  return questionId === null
    ? v.safeParse(NewQuestion, { ...message, origin, about, mayPublish })
    : v.safeParse(NewQuestionMessage, message)
}

async function correctedNow({ meta }: MemberStore, { wall }: Platform): Promise<number> {
  const clock = await meta.get('clock')
  return wall() + (clock?.key === 'clock' ? clock.offset : 0)
}

/** What the phone knows of what it's about, to show before the server has answered. */
async function shownAbout({ videos }: MemberStore, { about }: QuestionDraftRow): Promise<ShownAbout | null> {
  if (about === null) return null
  if (about.kind === 'call') return { kind: 'call', callId: about.callId, startsAt: null }
  const video = await videos.get(about.videoId)
  const { videoId, seconds } = about
  return { kind: 'video', videoId, slug: video?.slug ?? null, title: video?.title ?? '', seconds }
}

const newEntry = (id: string, questionId: string, body: QuestionBody): NewQuestionEntry => ({
  id,
  questionId,
  body,
  state: 'waiting',
  wasTried: false,
  attempts: 0,
  retryAt: null,
  isWaitAsked: false,
})

/**
 * Withdraws a question that isn't answered. Its files leave this phone at once, and what was said with them. One that has never been
 * on its way just goes; of one that may have arrived, the server is told.
 */
export async function withdrawQuestion(drafter: Drafter, questionId: string): Promise<void> {
  const { store, platform } = drafter
  const { dexie, questionRecords, questionOutbox, questionConfirmed, questionFiles } = store
  await dexie.transaction('rw', questionTablesOf(store), async () => {
    if (await isClosed(store)) return
    const record = await questionRecords.get(questionId)
    if (record && hasAnswer(record.question)) return
    const entries = await questionOutbox.where('questionId').equals(questionId).toArray()
    if (entries.some(({ body, state }) => body.kind === 'withdraw' && state === 'waiting')) return
    const mayBeThere = record !== undefined || entries.some(({ wasTried, isRepeat }) => wasTried || isRepeat)
    await questionOutbox.bulkDelete(entries.map(({ seq }) => seq))
    forgetAsked(drafter, entries)
    await questionConfirmed.where('questionId').equals(questionId).delete()
    await deleteFiles(store, await questionFiles.where('questionId').equals(questionId).primaryKeys())
    if (mayBeThere) await questionOutbox.add(newEntry(newId(platform), questionId, { kind: 'withdraw' }))
  })
}

const forgetAsked = (drafter: Drafter, entries: readonly QuestionEntry[]) => {
  for (const { id } of entries) forgetNote(drafter, mendKeyOf(id))
}

/** Tells the server up to which message it was read. */
export async function markQuestionRead({ store, platform }: Drafter, questionId: string): Promise<boolean> {
  const { dexie, questions, questionRecords, questionOutbox, meta } = store
  return dexie.transaction('rw', questions, questionRecords, questionOutbox, meta, async () => {
    const [row, record] = await Promise.all([questions.get(questionId), questionRecords.get(questionId)])
    const last = record?.question.messages.at(-1)
    if (row?.isUnread !== 1 || last === undefined || (await isClosed(store))) return false
    const body = { kind: 'read', messageId: last.id } as const
    const before = (await questionOutbox.where('questionId').equals(questionId).toArray()).filter(
      (entry) => entry.body.kind === 'read',
    )
    await questionOutbox.bulkDelete(before.map(({ seq }) => seq))
    await questionOutbox.add(newEntry(newId(platform), questionId, body))
    await questions.put({ ...row, isUnread: 0 })
    return true
  })
}

/** What was refused is sent once more as it is, such as after a change of tier. */
export async function retryEntry({ dexie, questionOutbox, meta }: MemberStore, id: string): Promise<void> {
  await dexie.transaction('rw', questionOutbox, meta, async () => {
    const entry = await questionOutbox.where('id').equals(id).first()
    if (entry?.state !== 'refused') return
    const { refusal: _, ...rest } = entry
    await questionOutbox.put({ ...rest, state: 'waiting', attempts: 0, retryAt: null, isWaitAsked: false })
  })
}

/** The key of the draft that a refused question or message becomes, to mend it. Null if there's none of this id. */
export async function mendEntry({ store, platform }: Drafter, id: string): Promise<string | null> {
  const { dexie, questionOutbox, questionFiles, questionDrafts, meta } = store
  const key = mendKeyOf(id)
  return dexie.transaction('rw', questionOutbox, questionFiles, questionDrafts, meta, async () => {
    const entry = await questionOutbox.where('id').equals(id).first()
    const body = entry?.body
    if (!entry || (body?.kind !== 'ask' && body?.kind !== 'message') || (await isClosed(store))) return null
    const asked = body.kind === 'ask' ? body : { origin: 'header' as const, about: null, mayPublish: false }
    await questionDrafts.put({
      key,
      id,
      text: body.text,
      about: asked.about,
      origin: asked.origin,
      mayPublish: asked.mayPublish,
      questionId: body.kind === 'ask' ? null : entry.questionId,
      changedAt: platform.wall(),
    })
    const files = await questionFiles.where('questionId').equals(entry.questionId).toArray()
    const own = files.filter(({ messageId }) => messageId === id)
    const back = { state: 'draft', draftKey: key, messageId: null, questionId: null, refusal: null } as const
    await questionFiles.bulkPut(own.map((file): QuestionFileRow => ({ ...file, ...back, received: 0 })))
    await questionOutbox.delete(entry.seq)
    return key
  })
}

/** Deletes from this phone what hasn't been sent, by its message's id, with its files. */
export async function discardEntry(drafter: Drafter, id: string): Promise<void> {
  const { store } = drafter
  const { dexie, questionOutbox, questionFiles } = store
  await dexie.transaction('rw', questionTablesOf(store), async () => {
    const entry = await questionOutbox.where('id').equals(id).first()
    // Its text has arrived, and its files haven't all.
    if (!entry) {
      const left = await questionFiles.where('state').equals('waiting').toArray()
      return deleteFiles(
        store,
        left.filter(({ messageId }) => messageId === id).map((file) => file.id),
      )
    }
    // What was added to a question goes with it, unless the server has the question.
    const isAsk = entry.body.kind === 'ask'
    const all = isAsk ? await questionOutbox.where('questionId').equals(entry.questionId).toArray() : [entry]
    const ids = new Set(all.map((one) => one.id))
    await questionOutbox.bulkDelete(all.map(({ seq }) => seq))
    forgetAsked(drafter, all)
    const files = await questionFiles.where('questionId').equals(entry.questionId).toArray()
    await deleteFiles(
      store,
      files.filter(({ messageId }) => messageId && ids.has(messageId)).map((file) => file.id),
    )
  })
}

/** What a logout would delete. Readings aren't named: nobody misses them. */
export async function readUnsent(store: MemberStore): Promise<UnsentQuestion[]> {
  const { dexie, questions, questionOutbox, questionFiles, questionDrafts } = store
  const tables = [questions, questionOutbox, questionFiles, questionDrafts]
  const [entries, files, drafts, rows] = await dexie.transaction('r', tables, () =>
    Promise.all([
      questionOutbox.toArray(),
      questionFiles.where('state').anyOf('draft', 'waiting').toArray(),
      questionDrafts.toArray(),
      questions.toArray(),
    ]),
  )
  const excerpts = new Map(rows.map(({ id, excerpt }) => [id, excerpt]))
  const named = entries.flatMap((entry) => unsentOf(entry, files, excerpts) ?? [])
  const known = new Set(named.map(({ id }) => id))
  const written = drafts.flatMap((draft): UnsentQuestion[] => {
    const own = countFiles(files.filter(({ draftKey }) => draftKey === draft.key))
    const name = excerptOf(draft.text)
    const isEmpty = name === '' && own.photos === 0 && !own.hasVoice
    return isEmpty ? [] : [{ id: draft.key, kind: 'draft', name, ...own, state: 'draft', from: null }]
  })
  return [...named, ...halvesOf(files, known, excerpts), ...written]
}

type Excerpts = ReadonlyMap<string, string>

function unsentOf(entry: QuestionEntry, files: readonly QuestionFileRow[], excerpts: Excerpts): UnsentQuestion | null {
  const { body, id, state, questionId, from = null } = entry
  // It can't be sent any more: the coach had answered.
  if (body.kind === 'read' || (body.kind === 'withdraw' && state === 'refused')) return null
  const own = countFiles(files.filter(({ messageId }) => messageId === id))
  if (body.kind === 'withdraw')
    return { id, kind: 'withdrawal', name: excerpts.get(questionId) ?? '', ...own, state, from }
  return { id, kind: body.kind === 'ask' ? 'question' : 'message', name: excerptOf(body.text), ...own, state, from }
}

/** The text has arrived, and files that belong to it are still here. */
function halvesOf(files: readonly QuestionFileRow[], known: ReadonlySet<string>, excerpts: Excerpts): UnsentQuestion[] {
  const waiting = files.filter(({ state, messageId }) => state === 'waiting' && !known.has(messageId ?? ''))
  return [...Map.groupBy(waiting, ({ messageId }) => messageId ?? '')].map(([id, own]) => ({
    id,
    kind: 'files' as const,
    name: excerpts.get(own[0]?.questionId ?? '') ?? '',
    ...countFiles(own),
    state: 'waiting' as const,
    from: null,
  }))
}

const countFiles = (files: readonly QuestionFileRow[]) => ({
  photos: files.filter(({ kind }) => kind === 'photo').length,
  hasVoice: files.some(({ kind }) => kind === 'voice'),
})
