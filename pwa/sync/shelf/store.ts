import { type KeptRow, type ShelfRow, shelfOf } from '#pwa/sync/progress/kept.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import type { Shelf, ShelfForm } from '#shared/contract/shelf.ts'
import { afterWord, fileToKeep, type Kept, pieceCount, removedByBrowser, withPiece } from '#shared/rules/shelf.ts'

export async function readShelfRow({ meta }: Pick<MemberStore, 'meta'>): Promise<ShelfRow> {
  return shelfOf(await meta.get('shelf'))
}

export async function changeShelfRow(store: MemberStore, change: Partial<Omit<ShelfRow, 'key'>>): Promise<void> {
  await store.dexie.transaction('rw', store.meta, async () => {
    if (await isClosed(store)) return
    const before = await readShelfRow(store)
    const after = { ...before, ...change }
    if (JSON.stringify(after) !== JSON.stringify(before)) await store.meta.put(after)
  })
}

/** What the server was told of them counts as told, so that it hears they've gone, and no one is told of them again. */
export async function forgetRemoved(store: MemberStore): Promise<void> {
  const { told, removed } = await readShelfRow(store)
  await changeShelfRow(store, { removed: [], told: told ?? removed })
}

export type Choice = { videoIds: readonly string[]; form: ShelfForm; isAutomatic: boolean; at: number }

/** Adds what isn't kept yet. A video that can't be kept is left out. */
export async function addKept(store: MemberStore, { videoIds, form, isAutomatic, at }: Choice): Promise<void> {
  const { dexie, kept, keepable, meta } = store
  await dexie.transaction('rw', kept, keepable, meta, async () => {
    if (await isClosed(store)) return
    const rows = await kept.toArray()
    for (const [index, videoId] of videoIds.entries()) {
      const known = rows.find((row) => row.videoId === videoId)
      if (known?.isAutomatic && !isAutomatic) await kept.update(videoId, { isAutomatic: false })
      const video = await keepable.get(videoId)
      const found = video && fileToKeep(video, form)
      if (known || !found) continue
      const coming = { ...found.file, form: found.form, pieces: null, have: [] }
      const reading = { captions: null, handouts: [], readingOf: null }
      const row = { videoId, keptAt: at + index, whole: null, coming, isAutomatic, ...reading }
      await kept.put(shareVideoFile(row, rows))
    }
    const shelf = await readShelfRow(store)
    const without = (ids: readonly string[]) => ids.filter((id) => !videoIds.includes(id))
    await meta.put({ ...shelf, removed: without(shelf.removed), skipped: without(shelf.skipped) })
  })
}

/** What another video with the same file already has. */
function shareVideoFile(row: KeptRow, rows: readonly KeptRow[]): KeptRow {
  const { coming } = row
  if (coming === null) return row
  const other = rows.find(({ whole, coming: same }) => [whole, same].some((file) => file?.sha256 === coming.sha256))
  if (other?.whole?.sha256 === coming.sha256)
    return { ...row, whole: { ...other.whole, form: coming.form }, coming: null }
  const { pieces = null, have = [] } = other?.coming ?? {}
  return { ...row, coming: { ...coming, pieces, have } }
}

export async function removeKept(store: MemberStore, videoIds: readonly string[]): Promise<void> {
  await store.dexie.transaction('rw', store.kept, store.meta, async () => {
    await store.kept.bulkDelete([...videoIds])
  })
}

type Word = Required<Pick<ShelfRow, 'tag' | 'word'>>

/** Takes the server's word on what may be kept: what isn't listed goes, and a replaced video is fetched again. */
export async function takeWord(store: MemberStore, { lessons: videos, kept: told }: Shelf, word: Word): Promise<void> {
  const { dexie, kept, keepable, meta } = store
  await dexie.transaction('rw', kept, keepable, meta, async () => {
    if (await isClosed(store)) return
    await keepable.clear()
    await keepable.bulkPut([...videos])
    const byVideo = new Map(videos.map((video) => [video.videoId, video]))
    const rows = await kept.toArray()
    const after = rows.flatMap((row) => afterWord(row, byVideo.get(row.videoId)) ?? [])
    await kept.bulkDelete(rows.map(({ videoId }) => videoId))
    await kept.bulkPut(after.map((row) => shareVideoFile(row, after)))
    const shelf = await readShelfRow(store)
    // This phone has never told of any, so what the server knows was here before everything went.
    const here = new Set(after.map(({ videoId }) => videoId))
    const removed = shelf.told === null ? removedByBrowser(told, here).filter((id) => byVideo.has(id)) : []
    await meta.put({ ...shelf, ...word, removed: [...new Set([...shelf.removed, ...removed])] })
  })
}

/** The hashes of a file's pieces. If its content has changed since the last word on it, the next word says so. */
export async function takePieces(store: MemberStore, sha256: string, pieces: string[]): Promise<void> {
  await changeComing(store, sha256, (row) => ({ ...row, coming: row.coming && { ...row.coming, pieces } }))
}

export const takePiece = (store: MemberStore, sha256: string, index: number) =>
  changeComing(store, sha256, (row) => withPiece(row, sha256, index))

export const forgetPieces = (store: MemberStore, sha256: string) =>
  changeComing(store, sha256, (row) => ({ ...row, coming: row.coming && { ...row.coming, have: [] } }))

/** Whether a kept video isn't whole yet. */
export const isMissing = async ({ kept }: MemberStore): Promise<boolean> =>
  (await kept.filter(({ coming }) => coming !== null).count()) > 0

/** `isIdle`: nothing is kept, nothing is said about it, and the server has been told. */
export type ShelfState = { shelf: ShelfRow; keepsAny: boolean; isIdle: boolean }

export async function readShelfState(store: MemberStore): Promise<ShelfState> {
  const [count, shelf] = await Promise.all([store.kept.count(), readShelfRow(store)])
  const { pause, told, removed } = shelf
  return { shelf, keepsAny: count > 0, isIdle: count === 0 && pause === null && (told ?? removed).length === 0 }
}

/** False if nobody waits for this file any more. */
export async function isWanted(store: MemberStore, sha256: string): Promise<boolean> {
  if (await isClosed(store)) return false
  return (await store.kept.toArray()).some(({ coming }) => coming?.sha256 === sha256)
}

async function changeComing(store: MemberStore, sha256: string, change: (row: KeptRow) => KeptRow): Promise<void> {
  await store.dexie.transaction('rw', store.kept, store.meta, async () => {
    if (await isClosed(store)) return
    const rows = (await store.kept.toArray()).filter(({ coming }) => coming?.sha256 === sha256)
    await store.kept.bulkPut(rows.map(change))
  })
}

/** Compares the rows with the files: videos that the browser removed leave the list, and are named until the member has read it. */
export async function checkFiles(store: MemberStore, files: ReadonlyMap<string, number>): Promise<void> {
  const { dexie, kept, meta } = store
  await dexie.transaction('rw', kept, meta, async () => {
    if (await isClosed(store)) return
    const rows = await kept.toArray()
    const isHere = (sha256: string, count: number) => (files.get(sha256) ?? 0) >= count
    const lost = rows.filter(({ whole }) => whole && !isHere(whole.sha256, pieceCount(whole.bytes)))
    const begun = rows.filter(({ coming }) => coming && !isHere(coming.sha256, coming.have.length))
    await kept.bulkPut(begun.map((row) => ({ ...row, coming: row.coming && { ...row.coming, have: [] } })))
    await kept.bulkDelete(lost.map(({ videoId }) => videoId))
    const shelf = await readShelfRow(store)
    const removed = [...new Set([...shelf.removed, ...lost.map(({ videoId }) => videoId)])]
    if (lost.length > 0) await meta.put({ ...shelf, removed })
  })
}

/** The names of the files that belong to a kept video. */
export const filesOf = (rows: readonly (Kept & Pick<KeptRow, 'handouts'>)[]): Set<string> =>
  new Set(
    rows.flatMap(({ whole, coming, handouts }) =>
      [whole, coming, ...handouts].flatMap((file) => (file === null ? [] : [file.sha256])),
    ),
  )
