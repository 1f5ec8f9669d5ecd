import { rmSync } from 'node:fs'
import { asc } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import type { HasDb } from '#api/db/query.ts'
import { media } from '#api/db/schema/media.ts'
import { errorMessage } from '#api/log.ts'
import { type ObjectStore, openObjectStore } from '#api/object-store/store.ts'
import type { Settings } from '#api/settings.ts'
import { isPlayable, pieceBytes } from '#shared/values/media.ts'
import { piecesOfFile } from './queries.ts'
import { hashesOf, isWholeFile, mediaFile, newIncomingPath, placeFile } from './store-service.ts'

type HasMediaStore = { settings: Pick<Settings, 'mediaStore'> }

export const mediaStoreOf = ({ settings: { mediaStore } }: HasMediaStore): ObjectStore | null =>
  mediaStore === null ? null : openObjectStore(mediaStore)

const folder = 'films/'
export const objectOf = ({ sha256 }: { sha256: string }) => folder + sha256

type VideoFile = { sha256: string; bytes: number; name: string }

/** The library's video files and sounds, each content once. The rest is small, and read here more than it's sent. */
export function listVideoFiles({ db }: HasDb): VideoFile[] {
  const rows = db
    .select({ sha256: media.sha256, bytes: media.bytes, name: media.name, format: media.format })
    .from(media)
    .orderBy(asc(media.createdAt), asc(media.id))
    .all()
  return [...new Map(rows.filter(({ format }) => isPlayable(format)).map((row) => [row.sha256, row])).values()]
}

/** Which of them are whole in the store. */
export async function videoFilesInStore(ctx: HasDb & HasMediaStore): Promise<Set<string>> {
  const store = mediaStoreOf(ctx)
  if (store === null) return new Set()
  const there = new Map((await store.list(folder)).map(({ name, bytes }) => [name, bytes]))
  return new Set(
    listVideoFiles(ctx).flatMap((videoFile) =>
      there.get(objectOf(videoFile)) === videoFile.bytes ? videoFile.sha256 : [],
    ),
  )
}

/** `left`: why a file stays where it is. */
export type Moved = { moved: number; bytes: number; left: string[] }

type Moving = { store: ObjectStore; signal: AbortSignal; onMoved(videoFile: VideoFile): unknown }

/** One by one, and each is in the store before it's taken off the disk, so a cut run goes on where it was. */
export async function moveVideoFiles(ctx: Context, to: 'store' | 'disk', moving: Moving): Promise<Moved> {
  const inStore = await videoFilesInStore(ctx)
  const report: Moved = { moved: 0, bytes: 0, left: [] }
  for (const videoFile of listVideoFiles(ctx)) {
    if (moving.signal.aborted) break
    const isHere = isWholeFile(mediaFile(ctx, videoFile), videoFile.bytes)
    if (to === 'store' ? !isHere : isHere || !inStore.has(videoFile.sha256)) continue
    const reason = await (to === 'store' ? sendVideoFile : bringVideoFile)(ctx, moving.store, videoFile)
    if (reason !== null) report.left.push(`${videoFile.name} ${reason}`)
    else {
      report.moved += 1
      report.bytes += videoFile.bytes
      await moving.onMoved(videoFile)
    }
  }
  return report
}

/** Phones check a file by its pieces, which are read from the disk. */
const hasAllPieces = (ctx: Context, { sha256, bytes }: VideoFile) =>
  piecesOfFile.all(ctx, { file: sha256 }).length === Math.ceil(bytes / pieceBytes)

async function sendVideoFile(ctx: Context, store: ObjectStore, videoFile: VideoFile): Promise<string | null> {
  const path = mediaFile(ctx, videoFile)
  if (!hasAllPieces(ctx, videoFile)) return 'hasn’t been read yet: try again in an hour.'
  if ((await hashesOf(path)).sha256 !== videoFile.sha256) return 'is damaged: upload it again.'
  // One of the same length may be there, and damaged.
  await store.put(objectOf(videoFile), path)
  rmSync(path)
  return null
}

/** It stays in the store: this may be a copy of the site, for trying something out. */
async function bringVideoFile(ctx: Context, store: ObjectStore, videoFile: VideoFile): Promise<string | null> {
  const path = newIncomingPath(ctx)
  try {
    await store.get(objectOf(videoFile), path)
    if ((await hashesOf(path)).sha256 !== videoFile.sha256) return 'is damaged in the store: upload it again.'
    transact(ctx, () => placeFile(ctx, { path, ...videoFile }))
    return null
  } finally {
    rmSync(path, { force: true })
  }
}

/** After the file is gone from the library. What can't be deleted now stays in the store, and nobody is led to it. */
export function removeFromStore(ctx: Context, videoFile: { sha256: string }): void {
  const removing = mediaStoreOf(ctx)?.remove(objectOf(videoFile))
  removing?.catch((error: unknown) =>
    ctx.log.warn('bytes of a file not removed from the store', { ...videoFile, reason: errorMessage(error) }),
  )
}
