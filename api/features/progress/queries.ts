import { and, eq, type InferSelectModel, inArray, lt, sql } from 'drizzle-orm'
import { preparedQuery } from '#api/db/query.ts'
import { users } from '#api/db/schema/people.ts'
import { appliedChanges, memberVideos, progressDays, videoProgress } from '#api/db/schema/videos.ts'
import { statement } from '#api/db/statement.ts'
import type { Stamp } from '#shared/rules/progress-merge.ts'

/** What is stored of one member and one video, with the stamp of the change that won. */
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

/** What a member has ticked, without the stamps: reading them takes as long again. */
export const ticksOfMember = statement<{ userId: string }>()(
  { videoId: videoProgress.videoId, completed: videoProgress.completed, completedAt: videoProgress.completedAt },
  (selected, { userId }) =>
    sql`select ${selected} from ${videoProgress} where ${videoProgress.userId} = +${userId} order by ${videoProgress.videoId}`,
)

/** Every row of a member, read with each sync. */
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

/** Read once for each video of a sync. The tiers stay the JSON that is stored: parsing it takes as long as reading the row. */
export const videoVisibility = statement<{ videoId: string }>()(
  { isPublished: memberVideos.isPublished, tierAccess: sql`${memberVideos.tierAccess}`.mapWith(String) },
  (selected, { videoId }) => sql`select ${selected} from ${memberVideos} where ${memberVideos.id} = ${videoId}`,
)

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

/** Goes through the key, member by member, and reads of each only what is old. */
export const forgetChanges = preparedQuery<{ firstKept: string; before: string }>()((db, { firstKept, before }) =>
  db
    .delete(appliedChanges)
    .where(
      and(
        inArray(appliedChanges.userId, db.select({ id: users.id }).from(users)),
        lt(appliedChanges.changeId, firstKept),
        lt(appliedChanges.receivedAt, before),
      ),
    ),
)

export const stampOf = ({ at, counter, deviceId, changeId }: StoredProgress): Stamp => ({
  at: Date.parse(at),
  counter,
  deviceId,
  changeId,
})
