import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { videoTexts } from '#api/db/schema/videos.ts'
import { mediaById } from '#api/features/media/queries.ts'
import { mediaFile } from '#api/features/media/store-service.ts'
import { attachHandouts, attachVideoFiles } from '#api/features/media/video-files-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { type VideoChangeRequest, type VideoRequest, videoTextKinds } from '#shared/contract/admin-video.ts'
import { decodeText } from '#shared/rules/encoding.ts'
import { normaliseCaptions } from '#shared/values/captions.ts'
import { textsOf } from './admin-queries.ts'

const textFields = [...videoTextKinds, 'captionsFrom']

type Parts = { id: string; wanted: VideoRequest; changed: readonly string[] }

/** Writes what has changed of a video's texts, files and downloads. Call it inside the transaction of its row. */
export function writeParts(ctx: Context, owner: Owner, { id, wanted, changed }: Parts): void {
  const { title, notes, transcript, captions, captionsFrom, filmFiles: videoFiles, handoutFiles } = wanted
  const fields = changed.filter((name) => textFields.includes(name))
  if (fields.length > 0) {
    const version = (textsOf.get(ctx, { videoId: id })?.version ?? 0) + 1
    const texts = { notes, transcript, captions, captionsFrom, version, updatedAt: ctx.now().toISOString() }
    upsert(ctx, videoTexts, { videoId: id, ...texts })
    audit(ctx, owner.actor, 'video.texts', { targetId: id, detail: { title, fields } })
  }
  if (changed.includes('filmFiles')) {
    attachVideoFiles(ctx, id, videoFiles)
    audit(ctx, owner.actor, 'video.files', { targetId: id, detail: { title, files: videoFiles } })
  }
  if (changed.includes('handoutFiles')) {
    attachHandouts(ctx, id, handoutFiles)
    audit(ctx, owner.actor, 'video.handouts', { targetId: id, detail: { title, handouts: handoutFiles } })
  }
}

/** The file the captions were copied from; null if they weren't, or have changed since. */
export async function followedFile(
  ctx: Context,
  { captions, captionsFrom = null }: Pick<VideoChangeRequest, 'captions' | 'captionsFrom'>,
): Promise<string | null> {
  if (!captions || captionsFrom === null) return null
  const row = mediaById.get(ctx, { id: captionsFrom })
  if (row?.format !== 'vtt') return null
  const text = decodeText(await Bun.file(mediaFile(ctx, row)).bytes())
  return normaliseCaptions(text) === captions ? captionsFrom : null
}
