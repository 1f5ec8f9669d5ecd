import * as v from 'valibot'
import { type MemberVideo, MemberVideoList } from '#shared/contract/video.ts'
import { isClosed, type MemberStore } from './store.ts'

const VideoOrder = v.array(v.string())

/** The members' videos of the last response, in its order. */
export async function readVideos(store: MemberStore): Promise<MemberVideo[]> {
  const [order, videos] = await Promise.all([readSnapshot(store, 'video-order', VideoOrder), store.videos.toArray()])
  const byId = new Map(videos.map((video) => [video.id, video]))
  return (order ?? []).flatMap((id) => byId.get(id) ?? [])
}

/** A video that has left the list stays until its ticks are settled: its row shows how far they are. */
export async function saveVideos(store: MemberStore, videos: readonly MemberVideo[], now: number): Promise<void> {
  await store.dexie.transaction('rw', store.videos, store.snapshots, store.outbox, store.meta, async () => {
    if (await isClosed(store)) return
    const listed = new Set(videos.map(({ id }) => id))
    const ticked = new Set((await store.outbox.toArray()).map(({ videoId }) => videoId))
    const staying = (await readVideos(store)).filter(({ id }) => !listed.has(id) && ticked.has(id))
    const all = [...videos, ...staying]
    await store.videos.clear()
    await store.videos.bulkPut(all)
    await saveSnapshot(store, 'video-order', { value: all.map(({ id }) => id), savedAt: now })
  })
}

/** A request without a response for this long counts as no signal. */
const requestTimeoutMs = 30_000

/** Result of a refresh: `cached` where the rows on the device stay because no usable response came. */
export type Refreshed = 'fresh' | 'cached' | 'unauthenticated' | 'forbidden'

/** Requests the members' videos and caches them for the next time without signal. */
export async function refreshVideos(
  store: MemberStore,
  fetch: (path: string, init: RequestInit) => Promise<Response>,
  now: number,
): Promise<Refreshed> {
  const response = await fetch('/api/member-videos', {
    credentials: 'include',
    redirect: 'error',
    signal: AbortSignal.timeout(requestTimeoutMs),
  }).catch(() => null)
  if (response?.status === 401) return 'unauthenticated'
  if (response?.status === 403) return 'forbidden'
  if (!response?.ok) return 'cached'
  const videos = v.safeParse(MemberVideoList, await response.json().catch(() => null))
  if (!videos.success) return 'cached'
  await saveVideos(store, videos.output, now)
  return 'fresh'
}

/** A response that the members' area shows again without signal (profile, billing). Null where none fits the schema. */
export async function readSnapshot<Schema extends v.GenericSchema>(
  store: MemberStore,
  name: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | null> {
  const row = await store.snapshots.get(name)
  const value = v.safeParse(schema, row?.value)
  return value.success ? value.output : null
}

/** When a cached response came, in milliseconds; null where there is none. */
export const readSavedAt = async (store: MemberStore, name: string): Promise<number | null> =>
  (await store.snapshots.get(name))?.savedAt ?? null

type NewSnapshot = {
  value: unknown
  savedAt: number
  /** When it was requested: a snapshot that was saved since then is newer, and stays. */
  requestedAt?: number
}

export async function saveSnapshot(store: MemberStore, name: string, { value, savedAt, requestedAt }: NewSnapshot) {
  await store.dexie.transaction('rw', store.snapshots, store.meta, async () => {
    if (await isClosed(store)) return
    const cached = requestedAt === undefined ? undefined : await store.snapshots.get(name)
    if (cached === undefined || requestedAt === undefined || cached.savedAt <= requestedAt)
      await store.snapshots.put({ name, value, savedAt })
  })
}
