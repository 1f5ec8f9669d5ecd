import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { AppError } from '#api/errors.ts'
import { wakeVersions } from '#api/video-files/wake-up.ts'
import type { VideoRequest } from '#shared/contract/admin-video.ts'
import { isPlayable } from '#shared/values/media.ts'
import { mediaById } from './queries.ts'

/** Replaces a video's files. Only members who can see the video can open them. Call it inside a transaction. */
export function attachVideoFiles(ctx: Context, videoId: string, files: readonly string[]): void {
  for (const file of files) assertPlayable(ctx, file)
  attachFiles(ctx, videoId, files)
}

/** Without a check, for the sandbox's clips, which are public. */
export function attachFiles(ctx: Context, videoId: string, files: readonly string[]): void {
  ctx.db.delete(videoFiles).where(eq(videoFiles.videoId, videoId)).run()
  for (const [position, mediaId] of files.entries()) insertRow(ctx, videoFiles, { videoId, mediaId, position })
  wakeVersions(ctx)
}

/** Replaces a video's downloads. Only members who can see the video can open them. Call it inside a transaction. */
export function attachHandouts(ctx: Context, videoId: string, handouts: VideoRequest['handoutFiles']): void {
  const files = handouts.map(({ file }) => file)
  if (new Set(files).size !== files.length) throw refused('handoutFiles', 'You’ve added the same download twice.')
  for (const file of files) assertPrivate(ctx, file)
  ctx.db.delete(videoHandouts).where(eq(videoHandouts.videoId, videoId)).run()
  for (const [position, { file, title }] of handouts.entries())
    insertRow(ctx, videoHandouts, { videoId, mediaId: file, position, title })
}

export function assertPlayable(ctx: Context, id: string): void {
  const row = mediaById.get(ctx, { id })
  if (row === undefined || row.isPublic || !isPlayable(row.format))
    throw refused('filmFiles', 'A video can only use private video and audio files.')
}

export function assertPrivate(ctx: Context, id: string): void {
  if (mediaById.get(ctx, { id })?.isPublic !== false)
    throw refused('handoutFiles', 'Downloads have to be members-only files.')
}

const refused = (field: string, message: string) => new AppError('invalid', message, { fields: { [field]: message } })
