import * as v from 'valibot'

/** The state of one part of the system; `healthLevel` in `shared/rules/health.ts` says which of them are good or bad. */
export const HealthStatus = v.picklist(['connected', 'configured', 'alive', 'missing', 'damaged', 'unwritable', 'slow'])
export type HealthStatus = v.InferOutput<typeof HealthStatus>

/** `timestamp` is the time of the last check. */
export const Health = v.object({
  status: v.picklist(['ok', 'error']),
  timestamp: v.string(),
  services: v.object({
    database: HealthStatus,
    payments: HealthStatus,
    email: HealthStatus,
    jobs: HealthStatus,
    /** Whether cron brings the reports that are watched; left out where none is. */
    reports: v.optional(HealthStatus),
    /** Whether the last nightly backup was made, and has not stayed away since; left out where none is scheduled. */
    backups: v.optional(HealthStatus),
    /** There while a login waits long for its password to be checked. */
    logins: v.optional(HealthStatus),
  }),
})
export type Health = v.InferOutput<typeof Health>
