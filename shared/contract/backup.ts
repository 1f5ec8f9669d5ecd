import * as v from 'valibot'
import { ClockTime } from './fields.ts'

/** Of a file's content, and in a backup also where the file lies: anything else in its place could name a path of its own. */
const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const Bytes = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The first file of a backup: what is in it, and what the copy had when it was made. */
export const BackupManifest = v.object({
  format: v.literal(1),
  createdAt: ClockTime,
  version: v.pipe(v.string(), v.maxLength(100)),
  migration: v.number(),
  database: v.object({ bytes: Bytes, sha256: Sha256, tables: v.record(v.string(), v.number()) }),
  hasSettings: v.boolean(),
  /** `isApart`: kept once in the folder `media` beside the backups, as it never changes. */
  media: v.array(v.object({ sha256: Sha256, bytes: Bytes, isApart: v.boolean() })),
})
export type BackupManifest = v.InferOutput<typeof BackupManifest>

/** When the server makes one by itself: `at` by London's clock, into `folder` on its machine. */
export const BackupSchedule = v.object({
  at: v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Give the time as HH:MM, such as 03:15.')),
  folder: v.string(),
  keep: v.object({ days: v.number(), weeks: v.number(), months: v.number() }),
  /** Read each time; never stored here. */
  passphraseFile: v.nullable(v.string()),
})
export type BackupSchedule = v.InferOutput<typeof BackupSchedule>
