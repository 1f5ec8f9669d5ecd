import type { Platform } from '#pwa/sync/platform.ts'
import { shelfOf } from '#pwa/sync/progress/kept.ts'
import type { QuestionFileRow } from '#pwa/sync/progress/question-rows.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import type { QuestionFile } from '#shared/contract/questions.ts'
import { hasRoomFor, type Room } from '#shared/rules/shelf.ts'
import { deleteFiles, readBytes } from './drafts.ts'
import { confirmedMs } from './merge.ts'

// Files of questions on this phone. They live in the member's database, so they go with it.

export type FileKeeper = { store: MemberStore; platform: Platform; signal: AbortSignal; room: () => Promise<Room> }

/** A download is over after this. The longest recording has two megabytes. */
const downloadMs = 120_000

/** What every phone plays. */
const aacType = 'audio/mp4'

/** From this phone if it's here, else from the server. */
export async function readFileHere(keeper: FileKeeper, fileId: string): Promise<Blob | null> {
  const { store, platform } = keeper
  const [row, bytes] = await Promise.all([store.questionFiles.get(fileId), readBytes(store, fileId)])
  const here = row && bytes ? new Blob([bytes], { type: row.type }) : null
  if ((here && row && !isOldForm(row)) || !platform.isOnline()) return here
  const found = await findFile(store, fileId)
  if (found === null || (here && !isMissing(found, row))) return here
  return (await fetchFile(keeper, found)) ?? here
}

/** It may have been fetched before the server had a copy that every phone plays. */
const isOldForm = ({ state, kind, type }: QuestionFileRow): boolean =>
  state === 'kept' && kind === 'voice' && type !== aacType

const isMissing = ({ file }: Found, row: QuestionFileRow | undefined): boolean =>
  row === undefined || (file.hasAac && isOldForm(row))

type Found = { file: QuestionFile; questionId: string; messageId: string; author: 'member' | 'coach' }

async function findFile({ questionRecords }: MemberStore, fileId: string): Promise<Found | null> {
  for (const found of await filesThere(questionRecords)) if (found.file.id === fileId) return found
  return null
}

async function filesThere(records: MemberStore['questionRecords']): Promise<Found[]> {
  return (await records.toArray()).flatMap(({ question }) =>
    question.messages.flatMap((message) =>
      message.files
        .filter(({ state }) => state === 'ready')
        .map((file) => ({ file, questionId: question.id, messageId: message.id, author: message.author })),
    ),
  )
}

/** Files under way here, so that what two ask for is fetched once. */
const underWay = new Map<string, Promise<Blob | null>>()

function fetchFile(keeper: FileKeeper, found: Found): Promise<Blob | null> {
  const { id } = found.file
  const known = underWay.get(id)
  if (known) return known
  const fetched = fetchOnce(keeper, found).finally(() => underWay.delete(id))
  underWay.set(id, fetched)
  return fetched
}

async function fetchOnce(keeper: FileKeeper, found: Found): Promise<Blob | null> {
  const { hasAac, type, id } = found.file
  const blob = await download(keeper, `/api/members/question-files/${id}/content?form=${hasAac ? 'aac' : 'served'}`)
  if (blob === null) return null
  const typed = new Blob([blob], { type: hasAac ? aacType : (type ?? blob.type) })
  // It can be shown even if there's no room for it.
  await keepFile(keeper, found, typed).catch(keeper.platform.report)
  return typed
}

/** Null without a whole answer of our server's. */
async function download({ platform, signal }: FileKeeper, path: string): Promise<Blob | null> {
  const request = new AbortController()
  const abort = () => request.abort()
  const cancel = platform.after(downloadMs, abort)
  signal.addEventListener('abort', abort)
  try {
    const response = await platform.fetch(path, {
      credentials: 'include',
      cache: 'no-store',
      redirect: 'error',
      signal: request.signal,
    })
    const type = response.headers.get('content-type') ?? ''
    if (response.status !== 200 || !/^(audio|video|image)\//.test(type)) return null
    const blob = await response.blob()
    const length = response.headers.get('content-length')
    return length !== null && Number(length) !== blob.size ? null : blob
  } catch {
    return null
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

async function keepFile(keeper: FileKeeper, found: Found, blob: Blob): Promise<void> {
  const { store, platform } = keeper
  if (!(await hasRoom(keeper, blob.size))) return
  const bytes = await blob.arrayBuffer()
  const { questionFiles, questionBytes, questionRecords, meta } = store
  const { file, questionId, messageId } = found
  const row: QuestionFileRow = {
    id: file.id,
    state: 'kept',
    kind: file.kind,
    type: blob.type,
    bytes: bytes.byteLength,
    sha256: null,
    messageId,
    questionId,
    draftKey: null,
    received: bytes.byteLength,
    attempts: 0,
    retryAt: null,
    refusal: null,
    durationMs: file.durationMs,
    isOpen: false,
    changedAt: platform.wall(),
    keptAt: platform.wall(),
    generation: null,
  }
  await store.dexie.transaction('rw', questionFiles, questionBytes, questionRecords, meta, async () => {
    // Withdrawn, or fetched by another tab, or logged out meanwhile.
    const isThere = (await questionRecords.get(questionId))?.question.messages.some(({ id }) => id === messageId)
    if (!isThere || (await isClosed(store)) || !isMissing(found, await questionFiles.get(file.id))) return
    await questionFiles.put(row)
    await questionBytes.put({ fileId: file.id, index: 0, bytes })
  })
}

/** Within what the browser gives, and the member's own limit for what's kept on this phone. */
async function hasRoom({ store, room }: FileKeeper, more: number): Promise<boolean> {
  const [space, mostBytes, used] = await Promise.all([room(), readLimit(store), usedBytes(store)])
  return hasRoomFor(more, space) && (mostBytes === null || used + more <= mostBytes)
}

/** The most that what's kept may take, as the member chose; null: as much as the browser gives. */
const readLimit = async ({ meta }: MemberStore): Promise<number | null> => shelfOf(await meta.get('shelf')).mostBytes

/** Of kept videos and of questions. */
async function usedBytes({ kept, questionFiles }: MemberStore): Promise<number> {
  const [videos, files] = await Promise.all([kept.toArray(), questionFiles.toArray()])
  return (
    videos.reduce((sum, { whole }) => sum + (whole?.bytes ?? 0), 0) + files.reduce((sum, { bytes }) => sum + bytes, 0)
  )
}

/** One that can't be fetched doesn't keep off the others; a line that brings nothing does. */
const mostMisses = 3

/** The coach's voice notes that aren't here, the last first. Nobody waits for a lock meanwhile. */
export async function fetchAnswers(keeper: FileKeeper): Promise<void> {
  const { store, platform, signal } = keeper
  const [rows, all] = await Promise.all([store.questionFiles.toArray(), filesThere(store.questionRecords)])
  const here = new Map(rows.map((row) => [row.id, row]))
  const missing = all.filter((found) => found.author === 'coach' && isMissing(found, here.get(found.file.id)))
  let misses = 0
  for (const found of missing.toReversed()) {
    if (signal.aborted || !platform.isOnline() || misses === mostMisses) return
    if (!(await hasRoom(keeper, found.file.bytes))) return
    if ((await fetchFile(keeper, found)) === null) misses += 1
  }
}

/**
 * What was confirmed 30 days ago goes, and above the member's limit what has been here longest. What isn't sent yet always stays.
 */
export async function tidyFiles({ store, platform }: FileKeeper): Promise<void> {
  const { questionFiles, questionConfirmed, questionBytes, meta } = store
  const old = platform.wall() - confirmedMs
  const [mostBytes, used, oldOnes, files] = await Promise.all([
    readLimit(store),
    usedBytes(store),
    questionConfirmed.where('confirmedAt').below(old).count(),
    questionFiles.toArray(),
  ])
  const gone = leaving(files, old, mostBytes === null ? 0 : used - mostBytes)
  if (oldOnes === 0 && gone.length === 0) return
  await store.dexie.transaction('rw', questionFiles, questionConfirmed, questionBytes, meta, async () => {
    if (await isClosed(store)) return
    await questionConfirmed.where('confirmedAt').below(old).delete()
    const still = (await questionFiles.bulkGet(gone)).flatMap((row) => (row?.keptAt ? row.id : []))
    await deleteFiles(store, still)
  })
}

/** `over`: by how many bytes the limit is passed. */
function leaving(files: readonly QuestionFileRow[], old: number, over: number): string[] {
  let left = over
  const gone: string[] = []
  const kept = files
    .filter(({ keptAt }) => keptAt !== null)
    .toSorted((one, other) => (one.keptAt ?? 0) - (other.keptAt ?? 0))
  for (const { id, bytes, keptAt, state } of kept) {
    const isOld = state !== 'kept' && (keptAt ?? 0) < old
    if (!isOld && left <= 0) continue
    gone.push(id)
    left -= bytes
  }
  return gone
}
