import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { memberVideos, videoTellings } from '#api/db/schema/videos.ts'
import { tellMember } from '#api/features/notices/notice-service.ts'
import { noticeByCause, receiversOf } from '#api/features/notices/queries.ts'
import { personFrom } from '#api/identity/person.ts'
import { personByUserId } from '#api/identity/person-queries.ts'
import { transactInTurns } from '#api/jobs/turns.ts'
import { londonDay } from '#shared/rules/london.ts'
import { videoVisibility } from './progress/queries.ts'
import { maySee } from './progress/visibility-service.ts'
import { wakeTelling } from './wake-service.ts'

const beginningOn = preparedQuery<{ day: string }>()((db, { day }) =>
  db
    .select({ videoId: memberVideos.id, at: videoTellings.at })
    .from(memberVideos)
    .leftJoin(videoTellings, eq(videoTellings.videoId, memberVideos.id))
    .where(and(memberVideos.isPublished, eq(memberVideos.availableFrom, day))),
)

const openTellings = preparedQuery()((db) =>
  db
    .select({ videoId: videoTellings.videoId, at: videoTellings.at, slug: memberVideos.slug })
    .from(videoTellings)
    .innerJoin(memberVideos, eq(memberVideos.id, videoTellings.videoId))
    .where(isNull(videoTellings.toldAt))
    .orderBy(asc(videoTellings.at)),
)
type Telling = ReturnType<typeof openTellings.all>[number]

/**
 * Call it when members can start to see a video. It writes one row, however many members there are. The job tells members who have
 * chosen by now to hear about new videos and may see it when they're told. Each hears about a video once, however often it's published.
 */
export function tellOfVideo(ctx: Context, videoId: string): void {
  upsert(ctx, videoTellings, { videoId, at: ctx.now().toISOString(), toldAt: null })
  wakeTelling(ctx)
}

/** Tells members about new videos, and about those whose first day is today. Oldest first, in short transactions. */
export async function tellOfNewVideos(ctx: Context, { stopping }: { stopping: AbortSignal | undefined }) {
  const report = { told: 0 }
  beginToday(ctx)
  for (const telling of openTellings.all(ctx)) {
    if (!(await tellReceivers(ctx, telling, { report, stopping }))) break
    const { videoId, at } = telling
    // If it was published again meanwhile, it's gone through again.
    const isThis = and(eq(videoTellings.videoId, videoId), eq(videoTellings.at, at))
    ctx.db.update(videoTellings).set({ toldAt: ctx.now().toISOString() }).where(isThis).run()
  }
  return report
}

function beginToday(ctx: Context): void {
  const day = londonDay(ctx.now())
  const isNew = ({ at }: { at: string | null }) => at === null || londonDay(new Date(at)) !== day
  const beginning = beginningOn.all(ctx, { day }).filter(isNew)
  for (const { videoId } of beginning) transact(ctx, () => tellOfVideo(ctx, videoId))
}

/** How many receivers are read at a time. */
const batchSize = 200

type Run = { report: { told: number }; stopping: AbortSignal | undefined }

/** False if it was stopped before the last one. The next run starts over, and skips members who have the notice. */
async function tellReceivers(ctx: Context, telling: Telling, { report, stopping }: Run): Promise<boolean> {
  let after = ''
  for (;;) {
    if (stopping?.aborted) return false
    const now = ctx.now().toISOString()
    const batch = receiversOf.all(ctx, { kind: 'video', at: telling.at, now, after, limit: batchSize })
    const last = batch.at(-1)
    if (last === undefined) return true
    await transactInTurns(ctx, batch, ({ userId }) => {
      if (tellOne(ctx, telling, userId)) report.told += 1
    })
    after = last.userId
  }
}

/** Whether they hadn't been told yet. */
function tellOne(ctx: Context, { videoId, at, slug }: Telling, userId: string): boolean {
  const cause = `video:${videoId}:${userId}`
  if (noticeByCause.get(ctx, { cause }) !== undefined) return false
  const row = personByUserId.get(ctx, { id: userId })
  if (row === undefined || !maySee(ctx, personFrom(ctx, row, {}), videoVisibility.get(ctx, { videoId }))) return false
  const path = `/members/videos/${slug}`
  tellMember(ctx, { cause, userId, kind: 'video', path, mail: null, happenedAt: new Date(at) })
  return true
}
