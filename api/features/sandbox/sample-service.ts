import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { videoFiles } from '#api/db/schema/media.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import type { PageStyle } from '#api/documents/plain-page.ts'
import { samplePage } from '#api/documents/sample-page.ts'
import { AppError, notFound } from '#api/errors.ts'
import { mediaById } from '#api/features/media/queries.ts'
import { storeMedia } from '#api/features/media/store-service.ts'
import { attachFiles } from '#api/features/media/video-files-service.ts'
import { projectFolder } from '#api/project.ts'
import { clipSeeds, memberClips } from '#data/seed/clips.ts'
import { samplePages } from '#data/seed/places.ts'

const seededKey = 'sandbox_clips'

/**
 * Sites without a live key play these clips. In a sandbox, every video without a file gets one too. Runs once per site and never
 * overwrites an owner's later change. If the disk is full, the next start tries again.
 */
export async function seedClips(ctx: Context): Promise<void> {
  if (readSetting(ctx, seededKey) !== undefined) return
  try {
    await storeClips(ctx)
  } catch (error) {
    if (!isWithoutRoom(error)) throw error
    ctx.log.warn('There is no room for the sample films: they are missing until a start finds some')
    return
  }
  transact(ctx, () => {
    if (ctx.settings.isSandbox) attachClips(ctx)
    writeSetting(ctx, seededKey, true)
  })
}

async function storeClips(ctx: Context): Promise<void> {
  for (const { id, file, isPublic } of clipSeeds) {
    if (mediaById.get(ctx, { id }) !== undefined) continue
    const content = Bun.file(join(projectFolder, 'data/seed/media', file))
    await storeMedia(ctx, content, { id, name: file, isPublic })
  }
}

/** The store refuses with `busy` before the disk is full. */
const isWithoutRoom = (error: unknown) => error instanceof AppError && error.code === 'busy'

function attachClips(ctx: Context): void {
  const videos = ctx.db
    .select({ id: memberVideos.id, category: memberVideos.category, file: videoFiles.mediaId })
    .from(memberVideos)
    .leftJoin(videoFiles, eq(videoFiles.videoId, memberVideos.id))
    .all()
  for (const { id, category, file } of videos) {
    if (file === null)
      attachFiles(
        ctx,
        id,
        memberClips(category).map((clip) => clip.id),
      )
  }
}

export function respondWithSamplePage(style: PageStyle, name: string): Response {
  const page = Object.hasOwn(samplePages, name) ? samplePages[name] : undefined
  if (page === undefined) throw notFound('This page')
  return new Response(samplePage(style, page), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': style.policy,
      'x-frame-options': 'SAMEORIGIN',
    },
  })
}
