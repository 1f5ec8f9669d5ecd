import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { AdminVideo, AdminVideoList, WholeVideo } from '#shared/contract/admin-video.ts'
import { inCategoryOrder } from '#shared/rules/video.ts'
import { filesIn, handoutsIn } from '#shared/values/media.ts'
import { allVideos, textsOf, videoById } from './admin-queries.ts'
import { categoryOrder } from './categories-service.ts'

/** Includes drafts, by category as members see them. */
export const listAllVideos = (ctx: Context): AdminVideo[] =>
  inCategoryOrder(v.parse(AdminVideoList, allVideos.all(ctx)), categoryOrder(ctx))

export function findVideo(ctx: Context, id: string): AdminVideo {
  const row = videoById.get(ctx, { id })
  if (row === undefined) throw notFound('This video')
  return v.parse(AdminVideo, row)
}

const noTexts = { notes: null, transcript: null, captions: null, captionsFrom: null }

/** Includes drafts. */
export function readWholeVideo(ctx: Context, id: string): WholeVideo {
  const video = findVideo(ctx, id)
  const { files = [], handouts = [] } = video
  const texts = textsOf.get(ctx, { videoId: id }) ?? noTexts
  return v.parse(WholeVideo, {
    ...video,
    ...texts,
    version: video.version,
    filmFiles: filesIn(files),
    handoutFiles: handouts.flatMap(handoutsIn),
  })
}
