import * as v from 'valibot'
import { ClockTime } from './fields.ts'

/** The SHA-256 of a file's content. A backup also uses it as the file's path, so nothing else may pass: it could name any path. */
const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const Bytes = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The first file of a backup: what's in it, and the state of the database when we made it. */
export const BackupManifest = v.object({
  format: v.literal(1),
  createdAt: ClockTime,
  version: v.pipe(v.string(), v.maxLength(100)),
  migration: v.number(),
  database: v.object({ bytes: Bytes, sha256: Sha256, tables: v.record(v.string(), v.number()) }),
  /** A demo's payments: no Stripe has them. */
  sandbox: v.optional(v.object({ bytes: Bytes, sha256: Sha256 })),
  hasSettings: v.boolean(),
  /** `isApart`: kept once in the `media` folder next to the backups, because it never changes. */
  media: v.array(v.object({ sha256: Sha256, bytes: Bytes, isApart: v.boolean() })),
})
export type BackupManifest = v.InferOutput<typeof BackupManifest>

/** The nightly backup: `at` in London time, into `folder` on the server. */
export const BackupSchedule = v.object({
  at: v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Give the time as HH:MM, such as 03:15.')),
  folder: v.string(),
  /** We keep the newest backup of each of this many days, weeks and months. */
  keep: v.object({ days: v.number(), weeks: v.number(), months: v.number() }),
  /** We read the file each time and never store the passphrase. */
  passphraseFile: v.nullable(v.string()),
})
export type BackupSchedule = v.InferOutput<typeof BackupSchedule>
