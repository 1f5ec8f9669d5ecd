import * as v from 'valibot'

/** The first file of a backup: what is in it, and what the copy had when it was made. */
export const BackupManifest = v.object({
  format: v.literal(1),
  createdAt: v.string(),
  version: v.string(),
  migration: v.number(),
  database: v.object({ bytes: v.number(), sha256: v.string(), tables: v.record(v.string(), v.number()) }),
  hasSettings: v.boolean(),
  /** `isApart`: kept once in the folder `media` beside the backups, as it never changes. */
  media: v.array(v.object({ sha256: v.string(), bytes: v.number(), isApart: v.boolean() })),
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
