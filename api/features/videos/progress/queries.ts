import { and, between, eq, type InferSelectModel, lt, sql } from 'drizzle-orm'
import { preparedQuery } from '#api/db/query.ts'
import { appliedChanges, memberVideos, progressDays, videoPositions, videoProgress } from '#api/db/schema/videos.ts'
import { namesOf, statement } from '#api/db/statement.ts'
import { unparsedTiersOfVideo } from '#api/db/video-tiers.ts'
import type { Stamp } from '#shared/rules/progress-merge.ts'

/** A member's stored progress on one video, with the stamp of the winning change. */
export type StoredProgress = Pick<
  InferSelectModel<typeof videoProgress>,
  'videoId' | 'completed' | 'completedAt' | 'at' | 'counter' | 'deviceId' | 'changeId'
>

const fields = {
  videoId: videoProgress.videoId,
  completed: videoProgress.completed,
  completedAt: videoProgress.completedAt,
  at: videoProgress.at,
  counter: videoProgress.counter,
  deviceId: videoProgress.deviceId,
  changeId: videoProgress.changeId,
}

/** What a member has ticked. Leaves out the stamps, which would double the time. */
export const ticksOfMember = statement<{ userId: string }>()(
  { videoId: videoProgress.videoId, completed: videoProgress.completed, completedAt: videoProgress.completedAt },
  (selected, { userId }) =>
    sql`select ${selected} from ${videoProgress} where ${videoProgress.userId} = +${userId} order by ${videoProgress.videoId}`,
)

/** Read with every sync. */
export const progressOfMember = statement<{ userId: string }>()(
  fields,
  (selected, { userId }) =>
    sql`select ${selected} from ${videoProgress} where ${videoProgress.userId} = +${userId} order by ${videoProgress.videoId}`,
)

export const progressOfVideo = statement<{ userId: string; videoId: string }>()(
  fields,
  (selected, { userId, videoId }) =>
    sql`select ${selected} from ${videoProgress}
      where ${videoProgress.userId} = ${userId} and ${videoProgress.videoId} = ${videoId}`,
)

const visibility = {
  id: memberVideos.id,
  isPublished: memberVideos.isPublished,
  availableFrom: memberVideos.availableFrom,
  tierAccess: unparsedTiersOfVideo,
}

export const videoVisibility = statement<{ videoId: string }>()(
  visibility,
  (selected, { videoId }) => sql`select ${selected} from ${memberVideos} where ${memberVideos.id} = ${videoId}`,
)

/** Remembers a sync's new changes and returns their ids. `changeIds` is a JSON array of text. */
export const rememberChanges = statement<{ userId: string; changeIds: string; receivedAt: string }>()(
  { changeId: appliedChanges.changeId },
  (returned, { userId, changeIds, receivedAt }) =>
    // Without a `where`, SQLite parses "on conflict" as part of the select.
    sql`insert into ${appliedChanges} ${namesOf(appliedChanges.userId, appliedChanges.changeId, appliedChanges.receivedAt)}
      select ${userId}, value, ${receivedAt} from json_each(${changeIds}) where true
      on conflict do nothing returning ${returned}`,
)

export type VideoVisibility = NonNullable<ReturnType<typeof videoVisibility.get>>

export const appliedChange = preparedQuery<{ userId: string; changeId: string }>()((db, { userId, changeId }) =>
  db
    .select({ changeId: appliedChanges.changeId })
    .from(appliedChanges)
    .where(and(eq(appliedChanges.userId, userId), eq(appliedChanges.changeId, changeId))),
)

export const changesOfDay = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ day: progressDays.day, changes: progressDays.changes })
    .from(progressDays)
    .where(eq(progressDays.userId, userId)),
)

/**
 * Row ids follow arrival, so all old rows come before the first one we keep, and deleting needs no index. Change ids come from
 * phones' clocks. Rows that arrived while the server's clock was ahead don't mark the boundary.
 */
export const forgetChanges = preparedQuery<{ before: string; now: string }>()((db, { before, now }) => {
  const firstKept = db
    .select({ row: sql`rowid` })
    .from(appliedChanges)
    .where(between(appliedChanges.receivedAt, before, now))
    .orderBy(sql`rowid`)
    .limit(1)
  const isBefore = sql`rowid < ifnull(${firstKept}, 9223372036854775807)`
  return db.delete(appliedChanges).where(and(lt(appliedChanges.receivedAt, before), isBefore))
})

export const positionsOfMember = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({
      videoId: videoPositions.videoId,
      seconds: videoPositions.seconds,
      at: videoPositions.at,
      deviceId: videoPositions.deviceId,
    })
    .from(videoPositions)
    .where(eq(videoPositions.userId, userId))
    .orderBy(videoPositions.videoId),
)

export const stampOf = ({ at, counter, deviceId, changeId }: StoredProgress): Stamp => ({
  at: Date.parse(at),
  counter,
  deviceId,
  changeId,
})
