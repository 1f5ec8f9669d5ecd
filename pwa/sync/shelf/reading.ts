import { withKeptFiles } from '#pwa/sync/kept-files.ts'
import type { KeptHandout, ShelfPause } from '#pwa/sync/progress/kept.ts'
import { isClosed } from '#pwa/sync/progress/store.ts'
import type { Handout } from '#shared/contract/video.ts'
import { hasRoomFor } from '#shared/rules/shelf.ts'
import { captionsAddress } from '#shared/rules/video.ts'
import { readPause } from './fetcher.ts'
import type { Refresher } from './refresh.ts'
import { ask, sha256Of } from './request.ts'
import { changeShelfRow } from './store.ts'

/**
 * Captions and downloads of the videos whose file is here, once they change. Their notes and transcripts are on every phone anyway.
 * Returns why it stopped; null if it came to the end.
 */
export async function fetchReading(refresher: Refresher): Promise<ShelfPause | null> {
  const { store } = refresher
  for (const { videoId, whole, readingOf } of await store.kept.toArray()) {
    const [video, text] = await Promise.all([store.videos.get(videoId), store.texts.get(videoId)])
    if (!whole || !video || !text || readingOf === video.updatedAt) continue
    const pause = await readPause(refresher)
    if (pause !== null || refresher.signal.aborted) return pause
    const captions = text.hasCaptions ? await fetchCaptions(refresher, videoId) : null
    const hasCaptions = captions !== null || !text.hasCaptions
    if (hasCaptions) await store.kept.update(videoId, { captions })
    const handouts = await fetchHandouts(refresher, videoId, text.handouts ?? [])
    if (typeof handouts === 'string') return handouts
    if (handouts && hasCaptions) await store.kept.update(videoId, { readingOf: video.updatedAt })
  }
  return null
}

async function fetchCaptions(refresher: Refresher, videoId: string): Promise<string | null> {
  const answer = await ask(refresher, captionsAddress(videoId))
  const text = answer?.status === 200 && answer.isWhole ? new TextDecoder().decode(answer.body) : ''
  return text.startsWith('WEBVTT') ? text : null
}

type Wanted = Pick<Handout, 'address' | 'format' | 'bytes'>

/** Each is listed as it comes, and one at an address that's here already isn't fetched again. True once all are here. */
async function fetchHandouts(
  refresher: Refresher,
  videoId: string,
  wanted: readonly Wanted[],
): Promise<boolean | ShelfPause> {
  const { store, device } = refresher
  const listed = async () => (await store.kept.get(videoId))?.handouts
  for (const one of wanted) {
    const here = await listed()
    if (here === undefined) return false
    if (here.some(({ address }) => address === one.address)) continue
    const pause = await readPause(refresher)
    if (pause !== null) return pause
    if (!hasRoomFor(one.bytes, await device.room()) || !(await fetchHandout(refresher, videoId, one))) return 'room'
  }
  const here = (await listed())?.filter(({ address }) => wanted.some((one) => one.address === address)) ?? []
  await store.kept.update(videoId, { handouts: here })
  return wanted.every(({ address }) => here.some((one) => one.address === address))
}

/** False if the browser had no room for it. */
async function fetchHandout(
  refresher: Refresher,
  videoId: string,
  { address, format, bytes }: Wanted,
): Promise<boolean> {
  const answer = await ask(refresher, address)
  if (answer?.status !== 200 || answer.body.length !== bytes) return true
  const sha256 = await sha256Of(refresher.platform, answer.body)
  // The media store's ETag is the file's own hash.
  if (sha256 === null || answer.headers.get('etag')?.replace(/^W\//, '') !== `"${sha256}"`) return true
  return storeHandout(refresher, videoId, { address, format, bytes, sha256 }, answer.body.buffer)
}

/** Written, then listed. */
async function storeHandout(
  { store, device, platform }: Refresher,
  videoId: string,
  handout: KeptHandout,
  bytes: ArrayBuffer,
): Promise<boolean> {
  let isRefused = false
  await withKeptFiles(platform.locks, async () => {
    const row = await store.kept.get(videoId)
    if (row === undefined || (await isClosed(store))) return
    try {
      await device.files.write(handout.sha256, 0, bytes)
      await store.kept.update(videoId, { handouts: [...row.handouts, handout] })
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error
      isRefused = true
      // A full store takes no ticks either.
      await changeShelfRow(store, { isFull: true })
    }
  })
  return !isRefused
}
