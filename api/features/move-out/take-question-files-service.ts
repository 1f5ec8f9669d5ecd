import { rmSync } from 'node:fs'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { questionFileContents, questionFiles } from '#api/db/schema/questions.ts'
import { AppError } from '#api/errors.ts'
import { newIncomingPath } from '#api/features/media/store-service.ts'
import { contentOfQuestionFile, questionFileName } from '#api/features/questions/export-queries.ts'
import { draw, pictureSize } from '#api/pictures/drawing.ts'
import { maxVoiceBytes, photoSide } from '#shared/contract/questions.ts'
import { pictureType } from '#shared/values/media.ts'
import type { Row } from './here-service.ts'
import type { Zip } from './take-media-service.ts'

const File = v.object({
  id: v.string(),
  messageId: v.string(),
  kind: v.picklist(['photo', 'voice']),
  position: v.number(),
  bytes: v.number(),
  sha256: v.string(),
  readyAt: v.string(),
  type: v.string(),
})
type File = v.InferOutput<typeof File>

type Work = { zip: Zip; isRehearsal: boolean }

/** Its bytes decide what it is, not the list. A photo was drawn again on the site it comes from, so it's kept as it is. */
export async function takeQuestionFile(ctx: Context, work: Work, row: Row): Promise<'added' | 'there'> {
  const read = v.safeParse(File, row)
  if (!read.success) throw new AppError('invalid', 'A photo or voice note has no id or type.')
  const file = read.output
  const known = { ...file, received: file.bytes }
  if (work.isRehearsal) return insertIfAbsent(ctx, questionFiles, known) ? 'added' : 'there'
  if (contentOfQuestionFile(ctx, file.id) !== undefined) return 'there'
  const content = await contentIn(ctx, work.zip, file)
  const about = await (file.kind === 'photo' ? aboutPhoto(content) : aboutVoice(content))
  return transact(ctx, () => {
    if (!insertIfAbsent(ctx, questionFiles, { ...known, ...about })) return 'there'
    insertRow(ctx, questionFileContents, { fileId: file.id, form: 'served', content: Buffer.from(content) })
    return 'added'
  })
}

async function contentIn(ctx: Context, { media, save }: Zip, file: File): Promise<Uint8Array> {
  const name = questionFileName(file)
  if (!media.has(name)) throw new AppError('invalid', `${name} is missing in the ZIP.`)
  const path = newIncomingPath(ctx)
  try {
    await save(name, { to: path, most: maxVoiceBytes })
    return await Bun.file(path).bytes()
  } finally {
    rmSync(path, { force: true })
  }
}

async function aboutPhoto(content: Uint8Array) {
  const size = pictureType(content) === 'image/jpeg' ? await pictureSize(content).catch(() => null) : null
  if (size === null || size.width > photoSide || size.height > photoSide)
    throw new AppError('invalid', 'This isn’t a photo of ours.')
  return { ...size, type: 'image/jpeg' }
}

const VoiceNote = v.object({ type: v.string(), durationMs: v.number() })

async function aboutVoice(content: Uint8Array) {
  const note: unknown = JSON.parse(new TextDecoder().decode(await draw(content, { as: 'voice' })))
  const read = v.safeParse(VoiceNote, note)
  if (!read.success) throw new AppError('invalid', 'This isn’t a voice note of ours.')
  return read.output
}
