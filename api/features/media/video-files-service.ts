import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { videoFiles } from '#api/db/schema/media.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { AppError, versionConflict } from '#api/errors.ts'
import { findVideo } from '#api/features/videos/admin-service.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import type { Owner } from '#api/http/session.ts'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import type { MediaFile, VideoFilesRequest } from '#shared/contract/media.ts'
import { isPlayable, mediaAddress } from '#shared/rules/media.ts'
import { allMedia, mediaById } from './queries.ts'

export const listMedia = (ctx: Context): MediaFile[] =>
  allMedia.all(ctx).map((row): MediaFile => ({ ...row, address: mediaAddress(row) }))

type Change = { id: string; request: VideoFilesRequest }

/** Gives a video its own files, in place of those that it has. They are private, and open to those who see the video. */
export function changeVideoFiles(ctx: Context, owner: Owner, { id, request: { files, version } }: Change): AdminVideo {
  const changed = transact(ctx, () => {
    const current = findVideo(ctx, id)
    if (version !== current.version) throw versionConflict({ sent: { files, version }, current })
    for (const file of files) assertPlayable(ctx, file)
    attachFiles(ctx, id, files)
    const updatedAt = ctx.now().toISOString()
    ctx.db
      .update(memberVideos)
      .set({ version: version + 1, updatedAt })
      .where(eq(memberVideos.id, id))
      .run()
    audit(ctx, owner.actor, 'video.files', { targetId: id, detail: { title: current.title, files } })
    return findVideo(ctx, id)
  })
  invalidateResponses(ctx)
  return changed
}

/** To be called inside a transaction. */
export function attachFiles(ctx: Context, videoId: string, files: readonly string[]): void {
  ctx.db.delete(videoFiles).where(eq(videoFiles.videoId, videoId)).run()
  for (const [position, mediaId] of files.entries()) insertRow(ctx, videoFiles, { videoId, mediaId, position })
}

function assertPlayable(ctx: Context, id: string): void {
  const row = mediaById.get(ctx, { id })
  if (row !== undefined && !row.isPublic && isPlayable(row.format)) return
  const message = 'A video can only use private films and sound.'
  throw new AppError('invalid', message, { fields: { files: message } })
}
