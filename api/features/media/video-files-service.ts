import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { AppError, versionConflict } from '#api/errors.ts'
import { findVideo } from '#api/features/videos/admin-service.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import type { Owner } from '#api/http/session.ts'
import type { AdminVideo, VideoHandoutsRequest } from '#shared/contract/admin-video.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import type { VideoFilesRequest } from '#shared/contract/media.ts'
import { isPlayable } from '#shared/rules/media.ts'
import { mediaById } from './queries.ts'

type Change<Request> = { id: string; request: Request }

/** Replaces a video's files. They're private, open only to those who see the video. */
export const changeVideoFiles = (ctx: Context, owner: Owner, { id, request }: Change<VideoFilesRequest>): AdminVideo =>
  changeVideoParts(ctx, owner, {
    ...{ id, request, action: 'video.files' },
    write: () => {
      for (const file of request.files) assertPlayable(ctx, file)
      attachFiles(ctx, id, request.files)
    },
  })

/** Replaces a video's downloads. They too are open only to those who see the video. */
export const changeHandouts = (ctx: Context, owner: Owner, { id, request }: Change<VideoHandoutsRequest>): AdminVideo =>
  changeVideoParts(ctx, owner, {
    ...{ id, request, action: 'video.handouts' },
    write: () => attachHandouts(ctx, id, request.handouts),
  })

function attachHandouts(ctx: Context, videoId: string, handouts: VideoHandoutsRequest['handouts']): void {
  const files = handouts.map(({ file }) => file)
  if (new Set(files).size !== files.length) throw refused('handouts', 'You’ve added the same download twice.')
  for (const file of files) assertPrivate(ctx, file)
  ctx.db.delete(videoHandouts).where(eq(videoHandouts.videoId, videoId)).run()
  for (const [position, { file, title }] of handouts.entries())
    insertRow(ctx, videoHandouts, { videoId, mediaId: file, position, title })
}

type Parts = Change<{ version: number }>

function changeVideoParts(
  ctx: Context,
  owner: Owner,
  { id, request, action, write }: Parts & { action: AuditAction; write: () => void },
): AdminVideo {
  const { version, ...parts } = request
  const changed = transact(ctx, () => {
    const current = findVideo(ctx, id)
    if (version !== current.version) throw versionConflict({ sent: request, current })
    write()
    const updatedAt = ctx.now().toISOString()
    ctx.db
      .update(memberVideos)
      .set({ version: version + 1, updatedAt })
      .where(eq(memberVideos.id, id))
      .run()
    audit(ctx, owner.actor, action, { targetId: id, detail: { title: current.title, ...parts } })
    return findVideo(ctx, id)
  })
  invalidateResponses(ctx)
  return changed
}

/** Call it inside a transaction. */
export function attachFiles(ctx: Context, videoId: string, files: readonly string[]): void {
  ctx.db.delete(videoFiles).where(eq(videoFiles.videoId, videoId)).run()
  for (const [position, mediaId] of files.entries()) insertRow(ctx, videoFiles, { videoId, mediaId, position })
}

function assertPlayable(ctx: Context, id: string): void {
  const row = mediaById.get(ctx, { id })
  if (row === undefined || row.isPublic || !isPlayable(row.format))
    throw refused('files', 'A video can only use private video and audio files.')
}

function assertPrivate(ctx: Context, id: string): void {
  if (mediaById.get(ctx, { id })?.isPublic !== false)
    throw refused('handouts', 'Downloads have to be members-only files.')
}

const refused = (field: string, message: string) => new AppError('invalid', message, { fields: { [field]: message } })
