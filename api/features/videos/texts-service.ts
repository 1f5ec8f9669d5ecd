import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { videoTexts } from '#api/db/schema/videos.ts'
import { versionConflict } from '#api/errors.ts'
import { mediaById } from '#api/features/media/queries.ts'
import { mediaFile } from '#api/features/media/store-service.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import type { Owner } from '#api/http/session.ts'
import { type VideoTexts, type VideoTextsRequest, videoTextKinds } from '#shared/contract/admin-video.ts'
import { normaliseCaptions } from '#shared/rules/captions.ts'
import { textsOf, touchVideos } from './admin-queries.ts'
import { findVideo } from './admin-service.ts'

const none: VideoTexts = { notes: null, transcript: null, captions: null, captionsFrom: null, version: 0 }

/** Includes drafts. */
export function readTexts(ctx: Context, id: string): VideoTexts {
  findVideo(ctx, id)
  return textsOf.get(ctx, { videoId: id }) ?? none
}

type Change = { id: string; request: VideoTextsRequest }

/** Sending the same change again after a lost response isn't a conflict. */
export async function writeTexts(ctx: Context, owner: Owner, { id, request }: Change): Promise<VideoTexts> {
  const followed = await followedFile(ctx, request)
  const written = transact(ctx, () => {
    const { title } = findVideo(ctx, id)
    const current = textsOf.get(ctx, { videoId: id }) ?? none
    const { version, captionsFrom: _, ...texts } = request
    const changed = videoTextKinds.filter((kind) => texts[kind] !== current[kind])
    const isOther = followed !== current.captionsFrom
    if (changed.length === 0 && !isOther) return current
    if (version !== current.version) throw versionConflict({ sent: request, current })
    const stored = { ...texts, captionsFrom: followed, version: version + 1, updatedAt: ctx.now().toISOString() }
    upsert(ctx, videoTexts, { videoId: id, ...stored })
    touchVideos.run(ctx, { videoIds: JSON.stringify([id]), updatedAt: stored.updatedAt })
    audit(ctx, owner.actor, 'video.texts', { targetId: id, detail: { title, fields: changed } })
    return { ...texts, captionsFrom: followed, version: stored.version }
  })
  invalidateResponses(ctx)
  return written
}

/** The file the captions were copied from; null if they weren't, or have changed since. */
async function followedFile(ctx: Context, { captions, captionsFrom }: VideoTextsRequest): Promise<string | null> {
  if (captions === null || captionsFrom === null) return null
  const row = mediaById.get(ctx, { id: captionsFrom })
  if (row?.format !== 'vtt') return null
  const text = await Bun.file(mediaFile(ctx, row)).text()
  return normaliseCaptions(text) === captions ? captionsFrom : null
}
