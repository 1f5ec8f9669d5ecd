import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import type { AdminVideo, VideoOrderRequest, VideoRequest } from '#shared/contract/admin-video.ts'
import { movedVideo } from './admin-queries.ts'
import { findVideo, listAllVideos } from './find-service.ts'

type Videos = VideoOrderRequest['videos']
type Position = NonNullable<VideoRequest['place']>

/** Renumbers a category from 0, all or nothing. The request must name every video, so that concurrent changes are noticed. */
export function orderVideos(ctx: Context, owner: Owner, { videos }: VideoOrderRequest): AdminVideo[] {
  const ordered = transact(ctx, () => {
    const { category } = findVideo(ctx, videos[0]?.id ?? '')
    const current = categoryOf(ctx, category)
    assertSameOrderRead(videos, current)
    renumber(
      ctx,
      current,
      videos.map(({ id }) => id),
    )
    audit(ctx, owner.actor, 'video.ordered', { detail: { category } })
    return categoryOf(ctx, category)
  })
  invalidateResponses(ctx, ['pages'])
  return ordered
}

/** Gives a video its place in its category. The others make room. Call it inside a transaction. */
export function placeVideo(ctx: Context, { id, category }: AdminVideo, position: Position): void {
  const current = categoryOf(ctx, category)
  const others = current.map((video) => video.id).filter((other) => other !== id)
  renumber(ctx, current, others.toSpliced(position === 'end' ? others.length : position, 0, id))
}

export function isInPlace(ctx: Context, { id, category }: AdminVideo, position: Position): boolean {
  const videos = categoryOf(ctx, category)
  return videos.findIndex((video) => video.id === id) === (position === 'end' ? videos.length - 1 : position)
}

function renumber(ctx: Context, videos: readonly AdminVideo[], order: readonly string[]): void {
  const updatedAt = ctx.now().toISOString()
  for (const { id, orderIndex } of videos) {
    const index = order.indexOf(id)
    if (index !== orderIndex) movedVideo.run(ctx, { id, orderIndex: index, updatedAt })
  }
}

const categoryOf = (ctx: Context, category: string) => listAllVideos(ctx).filter((video) => video.category === category)

function assertSameOrderRead(sent: Videos, current: readonly AdminVideo[]): void {
  const versions = new Map(sent.map(({ id, version }) => [id, version]))
  if (versions.size !== sent.length)
    throw new AppError('invalid', 'You’ve listed a video twice.', {
      fields: { videos: 'You’ve listed a video twice.' },
    })
  const isSame = sent.length === current.length && current.every(({ id, version }) => versions.get(id) === version)
  if (!isSame) throw versionConflict({ sent, current })
}
