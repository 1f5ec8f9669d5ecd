import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { media } from '#api/db/schema/media.ts'
import { AppError } from '#api/errors.ts'
import type { Pack } from '#api/features/imports/pack-service.ts'
import { assertSound, detectFormat } from '#api/features/media/content-rules.ts'
import { mediaById } from '#api/features/media/queries.ts'
import { assertFits, hashesOf, keepMedia, newIncomingPath } from '#api/features/media/store-service.ts'
import { pictureSize } from '#api/pictures/drawing.ts'
import { kindOfMedia, mediaFormats } from '#shared/rules/media.ts'
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

type Work = { pack: Pack; ids: Map<string, string>; isRehearsal: boolean }

/** Its bytes decide what it is, not the list. */
export async function takeMedia(ctx: Context, work: Work, row: Row): Promise<'added' | 'there'> {
  const read = v.safeParse(File, row)
  if (!read.success) throw new AppError('invalid', 'A file has no name or id.')
  const file = read.output
  if (mediaById.get(ctx, file) !== undefined) return 'there'
  const name = `media/${file.id}.${file.format}`
  if (!work.pack.names.includes(name)) throw new AppError('invalid', `${name} is missing in the ZIP.`)
  if (work.isRehearsal) return insertIfAbsent(ctx, media, file) ? 'added' : 'there'
  assertFits(ctx, file.bytes)
  const path = newIncomingPath(ctx)
  try {
    await extract(work.pack, { name, to: path, most: file.bytes })
    return await keep(ctx, work, { file, path })
  } finally {
    rmSync(path, { force: true })
  }
}

async function keep(ctx: Context, { ids }: Work, { file, path }: { file: File; path: string }) {
  const { id, name, isPublic, createdAt, replacedAt } = file
  const content = Bun.file(path)
  const incoming = { path, bytes: content.size, format: await detectFormat(content), ...(await hashesOf(path)) }
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

type Part = { name: string; to: string; most: number }

async function extract(pack: Pack, { name, to, most }: Part): Promise<void> {
  const handle = await open(to, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of await pack.stream(name)) {
      bytes += chunk.length
      if (bytes > most) throw new AppError('invalid', `${name} is larger than the list says.`)
      await handle.appendFile(chunk)
    }
  } finally {
    await handle.close()
  }
}
