import * as v from 'valibot'
import { Id, Instant } from './fields.ts'

/** What a member did with one video; `videoId` is `member_videos.id`. */
export const VideoProgress = v.object({
  videoId: v.string(),
  completed: v.boolean(),
  completedAt: v.nullable(v.string()),
})
export type VideoProgress = v.InferOutput<typeof VideoProgress>
export const VideoProgressList = v.array(VideoProgress)

/** A device names itself once, at random; `server` is the device of the two buttons' calls. */
export const DeviceId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'This is not a valid device id.'))

/** One tick. `id` is a UUIDv7 made on the phone, `at` its corrected clock, `counter` grows with everything the phone has made or seen. */
export const ProgressChange = v.object({
  id: Id,
  videoId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  completed: v.boolean(),
  at: Instant,
  counter: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
})
export type ProgressChange = v.InferOutput<typeof ProgressChange>

/** At most this many changes in one call. */
export const syncBatchLimit = 500

/** The envelope is checked as a whole, each change alone: one poisoned change must not block the rest. */
export const SyncRequest = v.object({
  memberId: v.optional(v.string()),
  deviceId: DeviceId,
  changes: v.pipe(v.array(v.unknown()), v.maxLength(syncBatchLimit, `At most ${syncBatchLimit} changes at once.`)),
})
export type SyncRequest = v.InferOutput<typeof SyncRequest>

/** A stored row with the stamp of the change that won. */
export const SyncItem = v.object({
  videoId: v.string(),
  completed: v.boolean(),
  completedAt: v.nullable(v.string()),
  at: v.string(),
  counter: v.number(),
  deviceId: v.string(),
})
export type SyncItem = v.InferOutput<typeof SyncItem>

export const RejectedChange = v.object({ id: v.nullable(v.string()), code: v.string(), message: v.string() })
export type RejectedChange = v.InferOutput<typeof RejectedChange>

/** `items` holds every row of the member, whatever was sent; a sent change that is not in `rejected` is acknowledged. */
export const SyncResponse = v.object({
  serverTime: v.string(),
  items: v.array(SyncItem),
  rejected: v.array(RejectedChange),
})
export type SyncResponse = v.InferOutput<typeof SyncResponse>
