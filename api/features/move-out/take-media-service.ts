import { rmSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { media } from '#api/db/schema/media.ts'
import { AppError } from '#api/errors.ts'
import { assertSound, detectFormat } from '#api/features/media/content-rules.ts'
import { mediaById } from '#api/features/media/queries.ts'
import { assertFits, keepMedia, newIncomingPath, readIncoming } from '#api/features/media/store-service.ts'
import type { FileProcess } from '#api/file-process.ts'
import { pictureSize } from '#api/pictures/drawing.ts'
import { kindOfMedia, mediaFormats } from '#shared/values/media.ts'
import type { Row } from './here-service.ts'

const File = v.object({
  id: v.string(),
  sha256: v.string(),
  bytes: v.number(),
  format: v.picklist(mediaFormats),
  name: v.string(),
  isPublic: v.boolean(),
  createdAt: v.string(),
  replacedAt: v.nullable(v.string()),
})
type File = v.InferOutput<typeof File>

/** `media` are the names of its files, those of questions too. */
export type Zip = { media: ReadonlySet<string>; save: FileProcess<unknown, unknown>['save'] }

type Work = { zip: Zip; ids: Map<string, string>; isRehearsal: boolean }

/** Its bytes decide what it is, not the list. */
export async function takeMedia(ctx: Context, work: Work, row: Row): Promise<'added' | 'there'> {
  const read = v.safeParse(File, row)
  if (!read.success) throw new AppError('invalid', 'A file has no name or id.')
  const file = read.output
  if (mediaById.get(ctx, file) !== undefined) return 'there'
  const name = `media/${file.id}.${file.format}`
  if (!work.zip.media.has(name)) throw new AppError('invalid', `${name} is missing in the ZIP.`)
  if (work.isRehearsal) return insertIfAbsent(ctx, media, file) ? 'added' : 'there'
  assertFits(ctx, file.bytes)
  const path = newIncomingPath(ctx)
  try {
    await work.zip.save(name, { to: path, most: file.bytes })
    return await keep(ctx, work, { file, path })
  } finally {
    rmSync(path, { force: true })
  }
}

async function keep(ctx: Context, { ids }: Work, { file, path }: { file: File; path: string }) {
  const { id, name, isPublic, createdAt, replacedAt } = file
  const content = Bun.file(path)
  const incoming = await readIncoming(path, await detectFormat(content))
  if (incoming.sha256 !== file.sha256) throw new AppError('invalid', `The file “${name}” is damaged.`)
  await assertSound(content, incoming.format)
  if (kindOfMedia(incoming.format) === 'picture') await assertPicture(path, name)
  return transact(ctx, () => {
    const kept = keepMedia(ctx, incoming, { name, isPublic, id })
    if (kept.id !== id) {
      ids.set(id, kept.id)
      return 'there' as const
    }
    ctx.db.update(media).set({ createdAt, replacedAt }).where(eq(media.id, id)).run()
    return 'added' as const
  })
}

async function assertPicture(path: string, name: string): Promise<void> {
  try {
    await pictureSize(path)
  } catch {
    throw new AppError('invalid', `We can’t read the picture “${name}”.`)
  }
}
