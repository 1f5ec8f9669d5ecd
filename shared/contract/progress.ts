import * as v from 'valibot'
import { ClockTime, Id } from './fields.ts'

/** A member's progress with one video; `videoId` is `member_videos.id`. */
export const VideoProgress = v.object({
  videoId: v.string(),
  completed: v.boolean(),
  completedAt: v.nullable(v.string()),
})
export type VideoProgress = v.InferOutput<typeof VideoProgress>
export const VideoProgressList = v.array(VideoProgress)

/** The random id a device gives itself. `server` marks changes that came without a device's stamp. */
export const DeviceId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'This isn’t a valid device id.'))

/**
 * One tick. The phone makes `id`, a UUIDv7; `at` is its corrected clock, and `counter` is greater than that of any change the phone
 * has made or received.
 */
export const ProgressChange = v.object({
  id: Id,
  videoId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  completed: v.boolean(),
  at: ClockTime,
  counter: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
})
export type ProgressChange = v.InferOutput<typeof ProgressChange>

/** Where the member stopped in a video, in whole seconds. */
export const PositionChange = v.object({
  videoId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  seconds: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999)),
  at: ClockTime,
})
export type PositionChange = v.InferOutput<typeof PositionChange>

/** The limit for changes in one request, and for positions. */
export const syncBatchLimit = 500

/** The service checks changes and positions one by one, because an invalid one mustn't block the others. */
export const SyncRequest = v.object({
  memberId: v.optional(v.string()),
  deviceId: DeviceId,
  /** The version of the rows the phone has. If they're unchanged and the request sends nothing, the response is 204. */
  version: v.optional(v.pipe(v.string(), v.maxLength(64))),
  changes: v.pipe(v.array(v.unknown()), v.maxLength(syncBatchLimit, `Up to ${syncBatchLimit} changes at once.`)),
  positions: v.optional(
    v.pipe(v.array(v.unknown()), v.maxLength(syncBatchLimit, `Up to ${syncBatchLimit} positions at once.`)),
  ),
})
export type SyncRequest = v.InferOutput<typeof SyncRequest>

export const SyncItem = v.object({
  videoId: v.string(),
  completed: v.boolean(),
  completedAt: v.nullable(v.string()),
  at: v.string(),
  counter: v.number(),
  deviceId: v.string(),
})
export type SyncItem = v.InferOutput<typeof SyncItem>

export const SyncPosition = v.object({
  videoId: v.string(),
  seconds: v.number(),
  at: v.string(),
  deviceId: v.string(),
})
export type SyncPosition = v.InferOutput<typeof SyncPosition>

export const RejectedChange = v.object({ id: v.nullable(v.string()), code: v.string(), message: v.string() })
export type RejectedChange = v.InferOutput<typeof RejectedChange>

/**
 * `items` and `positions` are all of the member's rows. A change that was sent and isn't in `rejected` is acknowledged, and so is
 * every position. A server older than positions sends none.
 */
export const SyncResponse = v.object({
  serverTime: v.string(),
  items: v.array(SyncItem),
  positions: v.optional(v.array(SyncPosition)),
  rejected: v.array(RejectedChange),
  /** Of `items`, `positions`, `generation`, `commitments` and `questions` together. */
  version: v.optional(v.string()),
  /** The version of the member's commitments; absent if there are none. A phone with another one asks for them. */
  commitments: v.optional(v.string()),
  /** The same of their questions to the coach. */
  questions: v.optional(v.string()),
  /** Which copy of the database answers. Another one after a restore, a rollback over a backup, or a takeover. */
  generation: v.optional(v.string()),
})
export type SyncResponse = v.InferOutput<typeof SyncResponse>

/** The server's clock on a 204, ISO: nothing else has changed. */
export const serverTimeHeader = 'server-time'
