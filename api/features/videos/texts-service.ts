import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { videoTexts } from '#api/db/schema/videos.ts'
import { versionConflict } from '#api/errors.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import type { Owner } from '#api/http/session.ts'
import { type VideoTexts, type VideoTextsRequest, videoTextKinds } from '#shared/contract/admin-video.ts'
import { textsOf } from './admin-queries.ts'
import { findVideo } from './admin-service.ts'

const none: VideoTexts = { notes: null, transcript: null, captions: null, version: 0 }

/** What there is to read beside a video, drafts included. */
export function readTexts(ctx: Context, id: string): VideoTexts {
  findVideo(ctx, id)
  return textsOf.get(ctx, { videoId: id }) ?? none
}

type Change = { id: string; request: VideoTextsRequest }

/** The same change sent again, because its answer was lost, is no conflict with itself. */
export function writeTexts(ctx: Context, owner: Owner, { id, request }: Change): VideoTexts {
  const written = transact(ctx, () => {
    const { title } = findVideo(ctx, id)
    const current = textsOf.get(ctx, { videoId: id }) ?? none
    const { version, ...texts } = request
    const changed = videoTextKinds.filter((kind) => texts[kind] !== current[kind])
    if (changed.length === 0) return current
    if (version !== current.version) throw versionConflict({ sent: request, current })
    const stored = { ...texts, version: version + 1, updatedAt: ctx.now().toISOString() }
    upsert(ctx, videoTexts, { videoId: id, ...stored })
    audit(ctx, owner.actor, 'video.texts', { targetId: id, detail: { title, fields: changed } })
    return { ...texts, version: stored.version }
  })
  invalidateResponses(ctx)
  return written
}
