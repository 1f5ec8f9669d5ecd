import { createMutex } from '#pwa/sync/locks.ts'
import { isStoreFault } from '#pwa/sync/mending.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import type { QuestionDraftRow, QuestionFileRow, TakenShare } from '#pwa/sync/progress/question-rows.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import { maxPhotoBytes, maxVoiceBytes, photosPerMessage, type QuestionFileKind } from '#shared/contract/questions.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import { DraftError } from './draft-error.ts'
import { forgetNote, keepNote, settleNote } from './notes.ts'
import type { Draft, DraftChange, DraftStart, DraftVoice, VoiceWriter } from './shapes.ts'

export type Drafter = { store: MemberStore; platform: Platform }

export const newId = ({ wall, randomBytes }: Pick<Platform, 'wall' | 'randomBytes'>): string =>
  uuidV7(wall(), randomBytes(idRandomBytes))

/** Null if nothing was written under this key. */
export async function readDraft(
  { dexie, questionDrafts, questionFiles }: MemberStore,
  key: string,
): Promise<Draft | null> {
  const [row, files] = await dexie.transaction('r', questionDrafts, questionFiles, () =>
    Promise.all([questionDrafts.get(key), questionFiles.where('draftKey').equals(key).toArray()]),
  )
  return row ? draftOf(row, files) : null
}

/** The last changed first. */
export async function readDrafts({ dexie, questionDrafts, questionFiles }: MemberStore): Promise<Draft[]> {
  const [rows, files] = await dexie.transaction('r', questionDrafts, questionFiles, () =>
    Promise.all([questionDrafts.toArray(), questionFiles.where('state').equals('draft').toArray()]),
  )
  const filesOf = Map.groupBy(files, ({ draftKey }) => draftKey)
  return rows
    .toSorted((one, other) => other.changedAt - one.changedAt)
    .map((row) => draftOf(row, filesOf.get(row.key) ?? []))
}

function draftOf({ id: _, ...row }: QuestionDraftRow, files: readonly QuestionFileRow[]): Draft {
  const ordered = inOrder(files)
  const voice = ordered.find(({ kind }) => kind === 'voice')
  return {
    ...row,
    photos: ordered.filter(({ kind }) => kind === 'photo').map(({ id, type, bytes }) => ({ id, type, bytes })),
    voice: voice ? voiceOf(voice) : null,
  }
}

/** Photos as they were added, then the recording. */
export const inOrder = (files: readonly QuestionFileRow[]): QuestionFileRow[] =>
  files.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))

const orderOf = ({ kind, id }: QuestionFileRow) => `${kind} ${id}`

const voiceOf = ({ id, type, bytes, durationMs, isOpen }: QuestionFileRow): DraftVoice => ({
  id,
  type,
  bytes,
  durationMs: durationMs ?? 0,
  isOpen,
})

const startOf = (key: string, start: DraftStart, platform: Platform): QuestionDraftRow => ({
  key,
  id: newId(platform),
  text: start.text ?? '',
  about: start.about ?? null,
  origin: start.origin ?? 'header',
  mayPublish: start.mayPublish ?? false,
  questionId: start.questionId ?? null,
  changedAt: platform.wall(),
})

/**
 * Writes what was typed or chosen. `start` is what a new draft begins with. What's typed is noted at once, so that a page that's
 * gone before its database has taken it loses nothing.
 */
export async function changeDraft(
  drafter: Drafter,
  key: string,
  { change, start = {} }: { change: DraftChange; start?: DraftStart },
): Promise<void> {
  const { store, platform } = drafter
  const { dexie, questionDrafts, meta } = store
  const note = keepNote(drafter, key, { ...start, ...change })
  const id = await orFull(() =>
    dexie.transaction('rw', questionDrafts, meta, async () => {
      if (await isClosed(store)) return note.id
      const before = (await questionDrafts.get(key)) ?? { ...startOf(key, start, platform), id: note.id }
      await questionDrafts.put({ ...before, ...change, changedAt: platform.wall() })
      return before.id
    }),
  )
  settleNote(drafter, note, id)
}

/** Deletes it with its files, and with what was added to it when it had been asked and was refused. */
export async function discardDraft(drafter: Drafter, key: string): Promise<void> {
  const { store } = drafter
  const { dexie, questionDrafts, questionFiles, questionBytes, questionOutbox } = store
  await dexie.transaction('rw', questionDrafts, questionFiles, questionBytes, questionOutbox, async () => {
    const id = (await questionDrafts.get(key))?.id ?? ''
    await questionDrafts.delete(key)
    await deleteFiles(store, await questionFiles.where('draftKey').equals(key).primaryKeys())
    await questionOutbox.where('questionId').equals(id).delete()
    await deleteFiles(store, await questionFiles.where('questionId').equals(id).primaryKeys())
  })
  forgetNote(drafter, key)
}

/** In a transaction of both tables. */
export async function deleteFiles(
  { questionFiles, questionBytes }: MemberStore,
  ids: readonly string[],
): Promise<void> {
  await questionFiles.bulkDelete([...ids])
  for (const id of ids) await questionBytes.where('[fileId+index]').between([id, 0], [id, Infinity]).delete()
}

/** The id it's stored under. Rejects with a `DraftError`. `shared` is noted with it, or neither is. */
export async function addPhoto(
  { store, platform }: Drafter,
  key: string,
  { photo, start = {}, shared }: { photo: Blob; start?: DraftStart; shared?: TakenShare },
): Promise<string> {
  if (platform.subtle === null) throw new DraftError('insecure')
  if (photo.size === 0) throw new DraftError('empty')
  if (photo.size > maxPhotoBytes) throw new DraftError('too-large')
  const bytes = await photo.arrayBuffer()
  const sha256 = await sha256Of(platform.subtle, bytes)
  const row: QuestionFileRow = {
    ...newFile(newId(platform), { kind: 'photo', type: photo.type, draftKey: key, changedAt: platform.wall() }),
    bytes: bytes.byteLength,
    sha256,
  }
  await orFull(() =>
    inDraft(store, async () => {
      if ((await filesOfKind(store, key, 'photo')).length >= photosPerMessage) throw new DraftError('too-many')
      await putDraftOnce(store, startOf(key, start, platform))
      if (shared) await store.questionDrafts.update(key, { shared })
      await store.questionFiles.add(row)
      await store.questionBytes.add({ fileId: row.id, index: 0, bytes })
    }),
  )
  return row.id
}

export async function removeDraftFile(store: MemberStore, id: string): Promise<void> {
  await inDraft(store, async () => {
    if ((await store.questionFiles.get(id))?.state === 'draft') await deleteFiles(store, [id])
  })
}

/** How long after a recording's last chunk another tab may still be recording it. */
const recordingMs = 5_000

/**
 * Takes a recording as it comes. Nothing is stored before the first chunk that holds anything, so that an empty recording leaves the
 * draft as it was. Rejects with a `DraftError`.
 */
export async function startVoice(
  drafter: Drafter,
  key: string,
  { type, start = {} }: { type: string; start?: DraftStart },
): Promise<VoiceWriter> {
  const { store, platform } = drafter
  if (platform.subtle === null) throw new DraftError('insecure')
  const [other] = await filesOfKind(store, key, 'voice')
  if (other) throw new DraftError(isRecording(other, platform) ? 'recording' : 'too-many')
  const id = newId(platform)
  const inTurn = createMutex()
  let [count, isDiscarded] = [0, false]
  const add = async (chunk: Blob, durationMs: number) => {
    if (chunk.size === 0) return
    const bytes = await chunk.arrayBuffer()
    const index = count
    await orFull(() =>
      inDraft(store, async () => {
        const row = await store.questionFiles.get(id)
        if (isDiscarded) return
        // Another tab has sent or thrown away what was here, so the rest needs a draft of its own.
        if (index > 0 && row?.state !== 'draft') throw new DraftError('recording')
        if (index === 0) {
          if ((await filesOfKind(store, key, 'voice')).length > 0) throw new DraftError('recording')
          await putDraftOnce(store, startOf(key, start, platform))
        }
        const before =
          row ?? newFile(id, { kind: 'voice', type, draftKey: key, changedAt: platform.wall(), isOpen: true })
        const total = before.bytes + bytes.byteLength
        if (total > maxVoiceBytes) throw new DraftError('too-large')
        await store.questionBytes.add({ fileId: id, index, bytes })
        // Hashed by another tab, it'd be sent as what it was before.
        const grown = { bytes: total, sha256: null, durationMs, changedAt: platform.wall() }
        await store.questionFiles.put({ ...before, ...grown })
      }),
    )
    count += 1
  }
  return {
    fileId: id,
    add: (chunk, durationMs) => inTurn(() => add(chunk, durationMs)),
    finish: () =>
      inTurn(() =>
        inDraft(store, async () => {
          const row = await store.questionFiles.get(id)
          if (row?.state !== 'draft') return null
          const ended = { ...row, isOpen: false }
          await store.questionFiles.put(ended)
          return voiceOf(ended)
        }),
      ),
    discard: () => {
      isDiscarded = true
      return inTurn(() => removeDraftFile(store, id))
    },
  }
}

const isRecording = ({ isOpen, changedAt }: QuestionFileRow, { wall }: Platform) =>
  isOpen && Math.abs(wall() - changedAt) < recordingMs

type FileStart = Pick<QuestionFileRow, 'kind' | 'type' | 'draftKey' | 'changedAt'> & { isOpen?: boolean }

const newFile = (id: string, { isOpen = false, ...file }: FileStart): QuestionFileRow => ({
  id,
  state: 'draft',
  ...file,
  bytes: 0,
  sha256: null,
  messageId: null,
  questionId: null,
  received: 0,
  attempts: 0,
  retryAt: null,
  refusal: null,
  durationMs: null,
  isOpen,
  keptAt: null,
  generation: null,
})

const filesOfKind = ({ questionFiles }: MemberStore, key: string, kind: QuestionFileKind) =>
  questionFiles
    .where('draftKey')
    .equals(key)
    .filter((file) => file.kind === kind)
    .toArray()

async function putDraftOnce({ questionDrafts }: MemberStore, row: QuestionDraftRow): Promise<void> {
  if ((await questionDrafts.get(row.key)) === undefined) await questionDrafts.add(row)
}

const inDraft = <Result>(store: MemberStore, work: () => Promise<Result>): Promise<Result> =>
  store.dexie.transaction(
    'rw',
    [store.questionDrafts, store.questionFiles, store.questionBytes, store.meta],
    async () => {
      if (await isClosed(store)) throw new Error('This member has been logged out here.')
      return work()
    },
  )

/** A phone without room says so in the draft's own words. */
async function orFull<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DraftError) throw error
    throw isStoreFault(error) && isFull(error) ? new DraftError('full') : error
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof Error || error instanceof DOMException
    ? error.name === 'QuotaExceededError' || ('inner' in error && isFull(error.inner))
    : false

export async function sha256Of(subtle: SubtleCrypto, bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** All bytes of a file that's on this phone; null if it isn't. */
export async function readBytes(
  { questionBytes }: MemberStore,
  fileId: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const rows = await questionBytes.where('[fileId+index]').between([fileId, 0], [fileId, Infinity]).toArray()
  if (rows.length === 0) return null
  const whole = new Uint8Array(rows.reduce((sum, { bytes }) => sum + bytes.byteLength, 0))
  let at = 0
  for (const { bytes } of rows) {
    whole.set(new Uint8Array(bytes), at)
    at += bytes.byteLength
  }
  return whole
}
