import * as v from 'valibot'
import type {
  NewQuestionEntry,
  QuestionDraftRow,
  QuestionEntry,
  QuestionFileRow,
} from '#pwa/sync/progress/question-rows.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import type { SealedRow } from './device-store.ts'
import { getOrCreateKey, ownerHash, type Sealer } from './seal.ts'

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

const lengthBytes = 4

/** Of its own row: questions may be large, and ticks mustn't wait for them. */
const nameOf = (memberId: string) => `${memberId} questions`

/** Call it once the store is closed for writing. A store that was wiped before leaves what the earlier run sealed. */
export async function sealQuestions(sealer: Sealer, store: MemberStore): Promise<void> {
  const { device, platform } = sealer
  const { dexie, questionOutbox, questionDrafts, questionFiles, questionBytes } = store
  if (platform.subtle === null) return
  const tables = [questionOutbox, questionDrafts, questionFiles, questionBytes]
  const { entries, drafts, files, rows } = await dexie.transaction('r', tables, async () => ({
    entries: (await questionOutbox.toArray()).filter(({ body }) => body.kind !== 'read'),
    drafts: await questionDrafts.toArray(),
    files: await questionFiles.where('state').anyOf('draft', 'waiting').toArray(),
    rows: await questionBytes.toArray(),
  }))
  if (entries.length + drafts.length + files.length === 0) return
  const head = new TextEncoder().encode(JSON.stringify({ entries, drafts, files }))
  const length = new Uint8Array(lengthBytes)
  new DataView(length.buffer).setUint32(0, head.length)
  const bytesOf = Map.groupBy(rows, ({ fileId }) => fileId)
  const contents = files.flatMap(({ id }) => (bytesOf.get(id) ?? []).map(({ bytes }) => bytes))
  const iv = new Uint8Array(platform.randomBytes(12))
  const key = await getOrCreateKey(sealer, platform.subtle, 'seal')
  const plain = await new Blob([length, head, ...contents]).arrayBuffer()
  const data = await platform.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain)
  await device.sealed.put({ owner: await ownerHash(sealer, platform.subtle, nameOf(store.memberId)), iv, data })
}

/** Puts back what an ended login left. What the server has by then is the same by its id. */
export async function restoreQuestions(sealer: Sealer, store: MemberStore): Promise<void> {
  const { device, platform } = sealer
  if (platform.subtle === null) return
  const owner = await ownerHash(sealer, platform.subtle, nameOf(store.memberId))
  const sealed = await device.sealed.get(owner)
  const key = await device.keys.get('seal')
  if (sealed === undefined) return
  const plain = key && (await decrypt(platform.subtle, key.key, sealed))
  const length = plain && new DataView(plain).getUint32(0)
  const head =
    plain && v.safeParse(Head, new TextDecoder().decode(plain.slice(lengthBytes, lengthBytes + (length ?? 0))))
  if (plain && head?.success) await enter(store, head.output, plain.slice(lengthBytes + (length ?? 0)))
  await device.sealed.delete(owner)
}

async function enter(
  store: MemberStore,
  { entries, drafts, files }: v.InferOutput<typeof Head>,
  contents: ArrayBuffer,
) {
  const { dexie, questionOutbox, questionDrafts, questionFiles, questionBytes, meta } = store
  await dexie.transaction('rw', [questionOutbox, questionDrafts, questionFiles, questionBytes, meta], async () => {
    if (await isClosed(store)) return
    const known = new Set((await questionOutbox.toArray()).map(({ id }) => id))
    const missing = entries.filter(({ id }) => !known.has(id))
    await questionOutbox.bulkAdd(missing.map(({ seq: _, ...entry }): NewQuestionEntry => entry))
    await questionDrafts.bulkPut(drafts)
    let at = 0
    for (const file of files) {
      const bytes = contents.slice(at, at + file.bytes)
      at += file.bytes
      await questionFiles.put({ ...file, isOpen: false })
      await questionBytes.put({ fileId: file.id, index: 0, bytes })
    }
  })
}

/** Null if it's damaged on disk: we can never open it again, and it mustn't lock the member out. */
async function decrypt(subtle: SubtleCrypto, key: CryptoKey, { iv, data }: SealedRow): Promise<ArrayBuffer | null> {
  try {
    return await subtle.decrypt({ name: 'AES-GCM', iv }, key, data)
  } catch {
    return null
  }
}
