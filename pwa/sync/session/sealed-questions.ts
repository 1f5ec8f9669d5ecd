import * as v from 'valibot'
import type {
  NewQuestionEntry,
  QuestionDraftRow,
  QuestionEntry,
  QuestionFileRow,
} from '#pwa/sync/progress/question-rows.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import { deleteParcel, type Parcel, putParcel, readParcel } from './parcel.ts'
import type { Sealer } from './seal.ts'

// A login that's ended from elsewhere leaves nobody to ask what becomes of questions that aren't sent. So they're sealed like ticks,
// with their photos and recordings, until their member logs in again. A logout deletes them first.

/** What only this device can decrypt is what it wrote. */
const isRow = (value: unknown) => typeof value === 'object' && value !== null
const Head = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    entries: v.array(v.custom<QuestionEntry>(isRow)),
    drafts: v.array(v.custom<QuestionDraftRow>(isRow)),
    files: v.array(v.custom<QuestionFileRow>(isRow)),
  }),
)

type Head = v.InferOutput<typeof Head>

/** `bytesOf`: each file's, by its id. */
type Contents = Head & { bytesOf: ReadonlyMap<string, ArrayBuffer> }

/** Of its own row: questions may be large, and ticks mustn't wait for them. */
const nameOf = (memberId: string) => `${memberId} questions`

/**
 * Call it once the store is closed for writing. A store that was wiped before leaves what the earlier run sealed, and what an earlier
 * login's end sealed and no opening has put back yet stays with what's here now.
 */
export async function sealQuestions(sealer: Sealer, store: MemberStore): Promise<void> {
  const { subtle } = sealer.platform
  if (subtle === null) return
  const here = await readUnsealed(store)
  if (here.entries.length + here.drafts.length + here.files.length === 0) return
  const opener = { ...sealer, subtle }
  const name = nameOf(store.memberId)
  const earlier = contentsOf(await readParcel(opener, name))
  const { bytesOf, ...head } = earlier ? united(earlier, here) : here
  const bytes = head.files.flatMap(({ id }) => bytesOf.get(id) ?? [])
  await putParcel(opener, name, JSON.stringify(head), bytes)
}

async function readUnsealed(store: MemberStore): Promise<Contents> {
  const { dexie, questionOutbox, questionDrafts, questionFiles, questionBytes } = store
  const tables = [questionOutbox, questionDrafts, questionFiles, questionBytes]
  const { rows, ...head } = await dexie.transaction('r', tables, async () => ({
    entries: (await questionOutbox.toArray()).filter(({ body }) => body.kind !== 'read'),
    drafts: await questionDrafts.toArray(),
    files: await questionFiles.where('state').anyOf('draft', 'waiting').toArray(),
    rows: await questionBytes.toArray(),
  }))
  const bytesOf = new Map<string, ArrayBuffer>()
  for (const [id, own] of Map.groupBy(rows, ({ fileId }) => fileId))
    bytesOf.set(id, await new Blob(own.map(({ bytes }) => bytes)).arrayBuffer())
  // What the browser has torn would shift all that's behind it.
  const files = head.files.filter(({ id, bytes }) => bytesOf.get(id)?.byteLength === bytes)
  return { ...head, files, bytesOf }
}

function contentsOf(parcel: Parcel | null): Contents | null {
  const head = v.safeParse(Head, parcel?.text)
  if (parcel === null || !head.success) return null
  const bytesOf = new Map<string, ArrayBuffer>()
  let at = 0
  for (const { id, bytes } of head.output.files) {
    bytesOf.set(id, parcel.bytes.slice(at, at + bytes))
    at += bytes
  }
  return { ...head.output, bytesOf }
}

/** Both, in the order made. What's in both is as the later has it. */
function united(earlier: Contents, later: Contents): Contents {
  const entries = new Set(later.entries.map(({ id }) => id))
  const files = new Set(later.files.map(({ id }) => id))
  const { drafts, files: left } = apartFrom(later.drafts, earlier)
  return {
    entries: [...earlier.entries.filter(({ id }) => !entries.has(id)), ...later.entries],
    drafts: [...drafts, ...later.drafts],
    files: [...left.filter(({ id }) => !files.has(id)), ...later.files],
    bytesOf: new Map([...earlier.bytesOf, ...later.bytesOf]),
  }
}

/** Two drafts may have been begun under one key, such as that of the header's link: the earlier gets a key of its own. */
function apartFrom(known: readonly QuestionDraftRow[], { drafts, files }: Head): Pick<Head, 'drafts' | 'files'> {
  const ids = new Set(known.map(({ id }) => id))
  const missing = drafts.filter(({ id }) => !ids.has(id))
  const taken = new Set(known.map(({ key }) => key))
  const keyOf = new Map(missing.map(({ key, id }) => [key, taken.has(key) ? `kept-${id}` : key]))
  return {
    drafts: missing.map((draft) => ({ ...draft, key: keyOf.get(draft.key) ?? draft.key })),
    files: files.flatMap((file) => {
      if (file.draftKey === null) return file
      const draftKey = keyOf.get(file.draftKey)
      return draftKey === undefined ? [] : { ...file, draftKey }
    }),
  }
}

/** Puts back what an ended login left. What the server has by then is the same by its id. */
export async function restoreQuestions(sealer: Sealer, store: MemberStore): Promise<void> {
  const { subtle } = sealer.platform
  if (subtle === null) return
  const opener = { ...sealer, subtle }
  const sealed = contentsOf(await readParcel(opener, nameOf(store.memberId)))
  if (sealed !== null) await enter(store, sealed)
  await deleteParcel(opener, nameOf(store.memberId))
}

async function enter(store: MemberStore, sealed: Contents): Promise<void> {
  const { dexie, questionOutbox, questionDrafts, questionFiles, questionBytes, meta } = store
  await dexie.transaction('rw', [questionOutbox, questionDrafts, questionFiles, questionBytes, meta], async () => {
    if (await isClosed(store)) return
    const known = new Set((await questionOutbox.toArray()).map(({ id }) => id))
    const missing = sealed.entries.filter(({ id }) => !known.has(id))
    await questionOutbox.bulkAdd(missing.map(({ seq: _, ...entry }): NewQuestionEntry => entry))
    const { drafts, files } = apartFrom(await questionDrafts.toArray(), sealed)
    await questionDrafts.bulkAdd(drafts)
    const here = new Set(await questionFiles.toCollection().primaryKeys())
    for (const file of files) {
      if (here.has(file.id)) continue
      await questionFiles.add({ ...file, isOpen: false })
      await questionBytes.add({ fileId: file.id, index: 0, bytes: sealed.bytesOf.get(file.id) ?? new ArrayBuffer() })
    }
  })
}
