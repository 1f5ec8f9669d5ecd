import { and, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { tellMember } from '#api/features/notices/notice-service.ts'
import { receiversOf } from '#api/features/notices/queries.ts'
import { personFrom } from '#api/identity/person.ts'
import { personByUserId } from '#api/identity/person-queries.ts'
import { londonDay } from '#shared/rules/london.ts'
import { videoVisibility } from './progress/queries.ts'
import { maySee } from './progress/visibility-service.ts'

const beginningOn = preparedQuery<{ day: string }>()((db, { day }) =>
  db
    .select({ id: memberVideos.id })
    .from(memberVideos)
    .where(and(memberVideos.isPublished, eq(memberVideos.availableFrom, day))),
)

/** Tells those who chose to hear of new videos, if they may see it now. Each hears of a video once, however often it's published. */
export function tellOfVideo(ctx: Context, videoId: string): number {
  const video = videoVisibility.get(ctx, { videoId })
  const slug = ctx.db.select({ slug: memberVideos.slug }).from(memberVideos).where(eq(memberVideos.id, videoId)).get()
  if (video === undefined || slug === undefined) return 0
  const receivers = receiversOf.all(ctx, { kind: 'video', now: ctx.now().toISOString() })
  const told = receivers.filter(({ userId }) => {
    const row = personByUserId.get(ctx, { id: userId })
    return row !== undefined && maySee(ctx, personFrom(ctx, row, {}), video)
  })
  const path = `/members/videos/${slug.slug}`
  for (const { userId } of told)
    tellMember(ctx, { cause: `video:${videoId}:${userId}`, userId, kind: 'video', path, mail: null })
  return told.length
}

/** Tells of the videos whose first day is today. The others are told of when they're published. */
export function tellOfBeginningVideos(ctx: Context): { told: number } {
  return transact(ctx, () => {
    const beginning = beginningOn.all(ctx, { day: londonDay(ctx.now()) })
    return { told: beginning.reduce((sum, { id }) => sum + tellOfVideo(ctx, id), 0) }
  })
}
