import { basename } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { importedPictures } from '#api/db/schema/media.ts'
import { AppError } from '#api/errors.ts'
import { removeUnusedMedia } from '#api/features/media/library-service.ts'
import { storePicture } from '#api/features/media/photograph-service.ts'
import { mediaById } from '#api/features/media/queries.ts'
import { FileCutOff } from '#api/file-process.ts'
import { requestOutside } from '#api/outside-request.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { mediaAddress } from '#shared/values/media.ts'
import type { ImportTask } from '../kind-rules.ts'
import type { PictureSource } from './post-rules.ts'

/** As large as a camera's photo. */
const mostBytes = 20 * 1024 ** 2

const pictureBySource = preparedQuery<{ source: string }>()((db, { source }) =>
  db.select({ mediaId: importedPictures.mediaId }).from(importedPictures).where(eq(importedPictures.source, source)),
)

const sourcesOfMedia = preparedQuery<{ mediaId: string }>()((db, { mediaId }) =>
  db.select({ isNew: importedPictures.isNew }).from(importedPictures).where(eq(importedPictures.mediaId, mediaId)),
)

type Stored = { address: string } | { problem: string }

/** The picture's address in the library. It's fetched once, however often it's asked for. */
export function bringPicture(ctx: Context, task: ImportTask, source: PictureSource): Promise<Stored> {
  const key = 'address' in source ? source.address : `${task.file}#${source.name}`
  return withKeyLock(ctx, `picture ${key}`, async () => {
    const known = pictureBySource.get(ctx, { source: key })
    const row = known === undefined ? undefined : mediaById.get(ctx, { id: known.mediaId })
    if (row !== undefined) return { address: mediaAddress(row) }
    const name = nameOf(source)
    const read = await readPicture(ctx, task, source)
    if ('problem' in read) return { problem: `${name}: ${read.problem}` }
    try {
      const id = ctx.newId()
      const stored = await storePicture(ctx, task.actor, { name, bytes: read.bytes, id })
      const found = { source: key, mediaId: stored.id, isNew: stored.id === id }
      upsert(ctx, importedPictures, { ...found, createdAt: ctx.now().toISOString() })
      return { address: mediaAddress(stored) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { problem: `${name}: ${error.message}` }
    }
  })
}

function nameOf(source: PictureSource): string {
  const path = 'name' in source ? source.name : new URL(source.address).pathname
  try {
    return basename(decodeURIComponent(path)) || 'picture'
  } catch {
    return basename(path)
  }
}

type Bytes = { bytes: Uint8Array } | { problem: string }

const tooLarge = { problem: 'It’s larger than 20 MB.' }

async function readPicture(ctx: Context, { entry }: ImportTask, source: PictureSource): Promise<Bytes> {
  if ('name' in source) return readEntry(source.name, entry)
  const response = await requestOutside(source.address, ctx.outside, mostBytes)
  if ('problem' in response)
    // No one typed this address, so there's no spelling to check.
    return response.unknownHost === undefined
      ? response
      : { problem: `We couldn’t reach ${response.unknownHost}, so this picture’s missing.` }
  return response.status === 200 ? response : { problem: `Your old site answers ${response.status}.` }
}

async function readEntry(name: string, entry: ImportTask['entry']): Promise<Bytes> {
  try {
    const bytes = (await entry?.(name, mostBytes)) ?? null
    return bytes === null ? tooLarge : { bytes }
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof FileCutOff) throw error
    return { problem: error.message }
  }
}

/** Takes out what the import brought and nothing shows any more. */
export function removeBroughtPictures(ctx: Context, ids: Iterable<string>): void {
  for (const mediaId of ids)
    if (sourcesOfMedia.all(ctx, { mediaId }).some(({ isNew }) => isNew)) removeUnusedMedia(ctx, mediaId)
}
