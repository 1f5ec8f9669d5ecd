import * as v from 'valibot'
import { isInMemory, type Platform } from '#pwa/sync/platform.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import { QuestionAbout } from '#shared/contract/questions.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import { questionOrigins } from '#shared/values/question-values.ts'
import type { DraftChange, DraftStart } from './shapes.ts'

// What's typed is noted in local storage, which takes it at once: a page may be gone before its database has taken it, or have it in
// memory alone. The next opening enters what's still there.

const Note = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    id: v.string(),
    text: v.optional(v.string()),
    about: v.optional(v.nullable(QuestionAbout)),
    origin: v.optional(v.picklist(questionOrigins)),
    mayPublish: v.optional(v.boolean()),
    questionId: v.optional(v.nullable(v.string())),
  }),
)
type Note = v.InferOutput<typeof Note>

type Noter = { store: MemberStore; platform: Platform }

const prefixOf = ({ memberId }: Pick<MemberStore, 'memberId'>) => `asking-${memberId}-`

const readNote = ({ store, platform }: Noter, key: string): Note | null => {
  const { success, output } = v.safeParse(Note, platform.storage.getItem(prefixOf(store) + key))
  return success ? output : null
}

export type Noted = { key: string; id: string; text: string }

/** `id`: of the draft that it begins, if there's none yet. */
export function keepNote(noter: Noter, key: string, change: DraftStart & DraftChange): Noted {
  const { platform } = noter
  const before = readNote(noter, key) ?? { id: uuidV7(platform.wall(), platform.randomBytes(idRandomBytes)) }
  return writeNote(noter, key, { ...before, ...change })
}

function writeNote({ store, platform }: Noter, key: string, note: Note): Noted {
  const text = JSON.stringify(note)
  platform.storage.setItem(prefixOf(store) + key, text)
  return { key, id: note.id, text }
}

/** Once the database has it, as draft `id`. One that's in memory alone stays noted until it's sent or deleted. */
export function settleNote(noter: Noter, { key, text }: Noted, id: string): void {
  const { store, platform } = noter
  if (platform.storage.getItem(prefixOf(store) + key) !== text) return
  const note = readNote(noter, key)
  if (!isInMemory(platform, store)) forgetNote(noter, key)
  else if (note && note.id !== id) writeNote(noter, key, { ...note, id })
}

export const forgetNote = ({ store, platform }: Noter, key: string): void =>
  platform.storage.removeItem(prefixOf(store) + key)

/**
 * Once draft `id` is asked. In memory alone it stays noted until the server has it, under a key of its own: what's typed in its place is
 * another one. The next opening finds it as a draft.
 */
export function setNoteAside(noter: Noter, key: string, id: string): void {
  const { store, platform } = noter
  const note = isInMemory(platform, store) ? readNote(noter, key) : null
  forgetNote(noter, key)
  if (note !== null) writeNote(noter, mendKeyOf(id), { ...note, id })
}

/** The draft that something asked becomes again. */
export const mendKeyOf = (id: string): string => `mend-${id}`

function notedKeys({ store, platform }: Noter): string[] {
  const prefix = prefixOf(store)
  const names = [...platform.storage.keys()]
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

/** Enters what earlier pages could only note. */
export async function enterNotes(noter: Noter): Promise<void> {
  for (const key of notedKeys(noter)) {
    const note = readNote(noter, key)
    if (note !== null) await enter(noter, key, note)
    if (note === null || !isInMemory(noter.platform, noter.store)) forgetNote(noter, key)
  }
}

async function enter({ store, platform }: Noter, key: string, { id, ...note }: Note): Promise<void> {
  const { dexie, questionDrafts, questionOutbox, questionConfirmed, meta } = store
  await dexie.transaction('rw', [questionDrafts, questionOutbox, questionConfirmed, meta], async () => {
    if (await isClosed(store)) return
    const before = await questionDrafts.get(key)
    const isSent =
      before === undefined &&
      ((await questionOutbox.where('id').equals(id).count()) > 0 ||
        (await questionConfirmed.filter((one) => one.id === id).count()) > 0)
    if (isSent) return
    const start = { text: '', about: null, origin: 'header' as const, mayPublish: false, questionId: null, key, id }
    await questionDrafts.put({ ...start, ...before, ...note, changedAt: platform.wall() })
  })
}
