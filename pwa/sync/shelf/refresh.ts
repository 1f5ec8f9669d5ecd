import * as v from 'valibot'
import { withKeptFiles } from '#pwa/sync/kept-files.ts'
import { formOf } from '#pwa/sync/progress/kept.ts'
import { etagName, readSnapshot, readVideosInOrder } from '#pwa/sync/progress/snapshots.ts'
import { isClosed, type MemberStore } from '#pwa/sync/progress/store.ts'
import { readError } from '#pwa/sync/transport.ts'
import { type KeptVideos, Shelf } from '#shared/contract/shelf.ts'
import { nextToKeep } from '#shared/rules/shelf.ts'
import { videosByCategory } from '#shared/rules/video.ts'
import { ask, type Requester, readJson } from './request.ts'
import {
  addKept,
  changeShelfRow,
  checkFiles,
  filesOf,
  readShelfRow,
  readShelfState,
  removeKept,
  type ShelfState,
  takeWord,
} from './store.ts'

/** Of the list of videos this phone shows. */
export const readListEtag = (store: MemberStore) => readSnapshot(store, etagName, v.string())

export type Refresher = Requester & { store: MemberStore }

/** How many videos "Keep the next two for me" keeps ready. */
const nextCount = 2

/** The shelf after the server's word. `ended`: it says that there's no access, so nothing stays. */
export type Refreshed = Pick<ShelfState, 'isIdle'> | 'later' | 'ended'

/** How long the server's last word does for a phone that keeps nothing, however often the app is opened. */
const wordHoldsMs = 60 * 60_000

/** The shelf as it is, and the ETag of the list of videos that the phone shows. */
export type Facts = ShelfState & { list: string | null }

export async function readFacts(store: MemberStore): Promise<Facts> {
  const [state, list] = await Promise.all([readShelfState(store), readListEtag(store)])
  return { ...state, list }
}

/** Whether the server needn't be asked: no video came or changed since it was, and nothing is kept that it could take back. */
export function isWordEnough({ shelf: { word, keepsNext }, list, keepsAny }: Facts, wall: number): boolean {
  if (!word?.list || word.list !== list || keepsNext) return false
  const age = wall - word.at
  return age >= 0 && age < wordHoldsMs && !keepsAny
}

/** Asks what may be kept, and makes the phone's rows and files agree with it. */
export async function refreshShelf(refresher: Refresher, { shelf: before, list, keepsAny }: Facts): Promise<Refreshed> {
  const { store, platform } = refresher
  const { tag } = before
  const answer = await ask(refresher, '/api/shelf', tag === null ? {} : { 'If-None-Match': tag })
  if (answer?.status === 403 && readError(readJson(answer))?.code === 'forbidden') {
    await removeAll(refresher)
    return 'ended'
  }
  const word = { list, at: platform.wall() }
  const shelf = answer?.status === 200 ? v.safeParse(Shelf, readJson(answer)) : null
  if (answer?.status !== 304 && !shelf?.success) return 'later'
  const after = await store.dexie.transaction('rw', store.kept, store.keepable, store.meta, async () => {
    if (shelf?.success) await takeWord(store, shelf.output, { tag: answer?.headers.get('etag') ?? null, word })
    else await changeShelfRow(store, { word })
    return readShelfState(store)
  })
  if (!before.keepsNext && !keepsAny) return after
  await keepNext(refresher)
  return readShelfState(store)
}

export async function removeAll({ store, device, platform }: Refresher): Promise<void> {
  await removeKept(
    store,
    (await store.kept.toArray()).map(({ videoId }) => videoId),
  )
  await withKeptFiles(platform.locks, () => device.files.wipe())
}

/** Rows without their files go, and files without a row. A video that's being replaced keeps its pieces while it plays. */
export async function sweepFiles({ store, device, platform }: Refresher): Promise<void> {
  await withKeptFiles(platform.locks, async () => {
    const files = await device.files.list()
    await checkFiles(store, files)
    if (files.size === 0 || (await device.isKeptPlaying())) return
    const wanted = filesOf(await store.kept.toArray())
    for (const file of files.keys()) if (!wanted.has(file)) await device.files.remove(file)
  })
}

/** Those chosen by the switch: done ones go, the next ones come. */
async function keepNext({ store, platform, device }: Refresher): Promise<void> {
  const [shelf, rows, keepable, progress] = await Promise.all([
    readShelfRow(store),
    store.kept.toArray(),
    store.keepable.toCollection().primaryKeys(),
    store.progress.toArray(),
  ])
  const { keepsNext, skipped } = shelf
  const done = new Set(progress.filter(({ completed }) => completed).map(({ videoId }) => videoId))
  const gone = rows.filter(({ videoId, isAutomatic }) => isAutomatic && (!keepsNext || done.has(videoId)))
  // What's ticked near its end is watched to the end.
  if (gone.length > 0 && !(await device.isKeptPlaying()))
    await removeKept(
      store,
      gone.map(({ videoId }) => videoId),
    )
  if (!keepsNext) return
  const ordered = videosByCategory(await readVideosInOrder(store)).flatMap(({ videos }) => videos)
  const offered = new Set(keepable.filter((id) => !skipped.includes(id)))
  const next = nextToKeep(ordered, { isDone: (id) => done.has(id), canKeep: (id) => offered.has(id), count: nextCount })
  const videoIds = next.map(({ id }) => id)
  await addKept(store, { videoIds, form: formOf(shelf, device.savesData()), isAutomatic: true, at: platform.wall() })
}

/** Tells the server which videos are whole on this phone, if it's news. */
export async function reportKept({ store, platform, device, signal }: Refresher): Promise<void> {
  const [rows, { told, removed }] = await Promise.all([store.kept.toArray(), readShelfRow(store)])
  const videoIds = rows.filter(({ whole }) => whole !== null).map(({ videoId }) => videoId)
  // The server also knows of videos that the browser removed, and needn't name them again.
  if (told !== null ? told.join() === videoIds.join() : videoIds.length + removed.length === 0) return
  const body: KeptVideos = { videoIds }
  const request = {
    method: 'PUT',
    credentials: 'include',
    redirect: 'error',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
  } as const
  const response = await device.fetch('/api/shelf/kept', request).catch(() => null)
  if (response?.ok && platform.isOnline() && !(await isClosed(store))) await changeShelfRow(store, { told: videoIds })
}
