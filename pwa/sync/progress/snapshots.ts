import type Dexie from 'dexie'
import * as v from 'valibot'
import { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { type MemberVideo, MemberVideoList, SearchWordList, VideoTextList } from '#shared/contract/video.ts'
import { isClosed, type MemberStore, type Snapshot } from './store.ts'

const VideoOrder = v.array(v.string())

export function orderVideos(snapshots: readonly Snapshot[], videos: readonly MemberVideo[]): MemberVideo[] {
  const byId = new Map(videos.map((video) => [video.id, video]))
  return (findSnapshot(snapshots, 'video-order', VideoOrder) ?? []).flatMap((id) => byId.get(id) ?? [])
}

export const readVideosInOrder = async ({ snapshots, videos }: MemberStore): Promise<MemberVideo[]> =>
  orderVideos(await snapshots.toArray(), await videos.toArray())

/** A video that has left the list stays until its ticks are settled, because its row shows their state. */
export async function saveVideos(
  store: MemberStore,
  videos: readonly MemberVideo[],
  now: number,
  etag: string | null = null,
): Promise<KnownTexts> {
  return store.dexie.transaction('rw', store.videos, store.snapshots, store.outbox, store.meta, async () => {
    if (await isClosed(store)) return readKnownTexts(store)
    const listed = new Set(videos.map(({ id }) => id))
    const ticked = new Set((await store.outbox.toArray()).map(({ videoId }) => videoId))
    const shown = orderVideos(await store.snapshots.toArray(), await store.videos.toArray())
    const staying = shown.filter(({ id }) => !listed.has(id) && ticked.has(id))
    const all = [...videos, ...staying]
    await store.videos.clear()
    await store.videos.bulkPut(all)
    await saveSnapshot(store, 'video-order', { value: all.map(({ id }) => id), savedAt: now })
    // If we keep a video that has left the list, the rows aren't the response's, so the next one has to be complete.
    await saveSnapshot(store, etagName, { value: staying.length === 0 ? etag : null, savedAt: now })
    return readKnownTexts(store)
  })
}

const requestTimeoutMs = 30_000

type Fetch = (path: string, init: RequestInit) => Promise<Response>

const requestOf = (etag: string | null): RequestInit => ({
  credentials: 'include',
  cache: 'no-store',
  ...(etag === null ? {} : { headers: { 'if-none-match': etag } }),
  redirect: 'error',
  signal: AbortSignal.timeout(requestTimeoutMs),
})

/** The list as the server has it now. `texts`: what this device has of the videos' texts. */
type FreshList = { isEmpty: boolean; texts: KnownTexts }

/** Result of a refresh. `cached`: we kept the device's rows because no usable response came. */
export type Refreshed = FreshList | 'cached' | 'unauthenticated' | 'forbidden'

export const etagName = 'video-etag'
const textsEtagName = 'texts-etag'
/** The ETag of the list the texts were requested after; they change with it. */
const textsOfName = 'texts-of'

type KnownTexts = { list: string | null; of: string | null; etag: string | null; words: string | null }

/** In the transaction that saves the list, which spares one. */
async function readKnownTexts(store: MemberStore): Promise<KnownTexts> {
  const read = (name: string) => readSnapshot(store, name, v.string())
  const [list, of, etag, words] = await Promise.all([
    read(etagName),
    read(textsOfName),
    read(textsEtagName),
    readWordsEtag(store),
  ])
  return { list, of, etag, words }
}

async function confirmVideos(store: MemberStore, now: number): Promise<FreshList> {
  let fresh: FreshList | undefined
  await saveTogether(store, async () => {
    const value = await readSnapshot(store, 'video-order', VideoOrder)
    if (value !== null) await saveSnapshot(store, 'video-order', { value, savedAt: now })
    fresh = { isEmpty: !value?.length, texts: await readKnownTexts(store) }
  })
  if (!fresh) throw new Error('The list has not been confirmed.')
  return fresh
}

export async function refreshVideos(store: MemberStore, fetch: Fetch, now: number): Promise<Refreshed> {
  const etag = await readSnapshot(store, etagName, v.string())
  const response = await fetch('/api/member-videos', requestOf(etag)).catch(() => null)
  if (response?.status === 401) return 'unauthenticated'
  if (response?.status === 403) return 'forbidden'
  if (response?.status === 304) return confirmVideos(store, now)
  if (!response?.ok) return 'cached'
  const videos = v.safeParse(MemberVideoList, await response.json().catch(() => null))
  if (!videos.success) return 'cached'
  const texts = await saveVideos(store, videos.output, now, response.headers.get('etag'))
  return { isEmpty: videos.output.length === 0, texts }
}

/**
 * Requests the videos' texts and the finder's words if the list has changed since, and caches them for when there's no signal. A
 * failure isn't worth a message: the next opening tries again.
 */
export async function refreshTexts(store: MemberStore, fetch: Fetch, known: KnownTexts, now: number): Promise<void> {
  if (known.list !== null && known.list === known.of) return
  await Promise.all([saveTexts(store, fetch, known, now), refreshSearchWords(store, fetch, now, known.words)])
}

async function saveTexts(store: MemberStore, fetch: Fetch, known: KnownTexts, now: number): Promise<void> {
  const response = await fetch('/api/member-videos/texts', requestOf(known.etag)).catch(() => null)
  if (response?.status !== 304 && !response?.ok) return
  const texts = response.ok ? v.safeParse(VideoTextList, await response.json().catch(() => null)) : null
  if (texts?.success === false) return
  await saveTogether(store, async () => {
    if (await isClosed(store)) return
    if (texts !== null) {
      await store.texts.clear()
      await store.texts.bulkPut(texts.output)
      await saveSnapshot(store, textsEtagName, { value: response.headers.get('etag'), savedAt: now })
    }
    await saveSnapshot(store, textsOfName, { value: known.list, savedAt: now })
  })
}

export const searchWordsName = 'search-words'

export const readWordsEtag = async (store: MemberStore): Promise<string | null> =>
  (await readTagged(store, searchWordsName, SearchWordList))?.etag ?? null

/**
 * Other words for the same thing, for the finder: whether they're new. `etag`: of those stored here. A failure isn't worth a
 * message, as above.
 */
export async function refreshSearchWords(
  store: MemberStore,
  fetch: Fetch,
  now: number,
  etag: string | null,
): Promise<boolean> {
  const response = await fetch('/api/member-videos/search-words', requestOf(etag)).catch(() => null)
  if (!response?.ok) return false
  const words = v.safeParse(SearchWordList, await response.json().catch(() => null))
  if (!words.success) return false
  await saveResponse(store, searchWordsName, { value: words.output, savedAt: now, etag: response.headers.get('etag') })
  return true
}

/** A response the members' area can show again without signal (profile, billing). Null if none fits the schema. */
export async function readSnapshot<Schema extends v.GenericSchema>(
  store: MemberStore,
  name: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | null> {
  return parseSnapshot(await store.snapshots.get(name), schema)
}

/** The same among rows already read. */
export function findSnapshot<Schema extends v.GenericSchema>(
  snapshots: readonly Snapshot[],
  name: string,
  schema: Schema,
): v.InferOutput<Schema> | null {
  return parseSnapshot(
    snapshots.find((snapshot) => snapshot.name === name),
    schema,
  )
}

function parseSnapshot<Schema extends v.GenericSchema>(
  row: Snapshot | undefined,
  schema: Schema,
): v.InferOutput<Schema> | null {
  const value = v.safeParse(schema, row?.value)
  return value.success ? value.output : null
}

export type NewSnapshot = {
  value: unknown
  savedAt: number
  /** When it was requested. A snapshot saved since then is newer, and stays. */
  requestedAt?: number
  etag?: string | null
}

/** With its ETag, to ask the server whether it has changed; null if nothing's stored. */
export async function readTagged<Schema extends v.GenericSchema>(
  store: MemberStore,
  name: string,
  schema: Schema,
): Promise<{ value: v.InferOutput<Schema>; etag: string } | null> {
  const row = await store.snapshots.get(name)
  const value = parseSnapshot(row, schema)
  return value !== null && row?.etag ? { value, etag: row.etag } : null
}

type Tagged<Value> = { value: Value; etag: string | null }
type Asked = Parameters<typeof parseResponse>[1]

/** Requests something this device may already hold, with its ETag, so that an unchanged response sends no body. */
export async function requestIfChanged<Schema extends v.GenericSchema>(
  schema: Schema,
  known: Tagged<v.InferOutput<Schema>> | null,
  send: (options: { headers: Record<string, string> }) => Asked,
): Promise<Tagged<v.InferOutput<Schema>>> {
  const request = Promise.resolve(send({ headers: known?.etag ? { 'if-none-match': known.etag } : {} }))
  try {
    const value = await parseResponse(schema, request)
    return { value, etag: (await request).response?.headers.get('etag') ?? null }
  } catch (error) {
    if (known !== null && error instanceof RequestError && error.status === 304) return known
    throw error
  }
}

/** How long a response that was saved waits for others: an opening asks for many at once. */
const gatherMs = 50

const gathering = new WeakMap<Dexie, { steps: (() => Promise<void>)[]; saved: Promise<void> }>()

/** In one transaction with all that come in the same moment. For what's asked for again if this page is gone before. */
export function saveTogether(store: MemberStore, step: () => Promise<void>): Promise<void> {
  const { dexie, snapshots, meta, texts } = store
  const others = gathering.get(dexie)
  if (others) {
    others.steps.push(step)
    return others.saved
  }
  const steps = [step]
  const saved = new Promise((resolve) => setTimeout(resolve, gatherMs)).then(() => {
    gathering.delete(dexie)
    return dexie.transaction('rw', snapshots, meta, texts, async () => {
      for (const one of steps) await one()
    })
  })
  gathering.set(dexie, { steps, saved })
  return saved
}

/** A response, which the next opening asks for again. */
export const saveResponse = (store: MemberStore, name: string, response: NewSnapshot): Promise<void> =>
  saveTogether(store, () => saveSnapshot(store, name, response))

/** At once: what the member chose here. */
export async function saveSnapshot(
  store: MemberStore,
  name: string,
  { value, savedAt, requestedAt, etag = null }: NewSnapshot,
) {
  await store.dexie.transaction('rw', store.snapshots, store.meta, async () => {
    if (await isClosed(store)) return
    const cached = requestedAt === undefined ? undefined : await store.snapshots.get(name)
    if (cached === undefined || requestedAt === undefined || cached.savedAt <= requestedAt)
      await store.snapshots.put({ name, value, savedAt, etag })
  })
}
