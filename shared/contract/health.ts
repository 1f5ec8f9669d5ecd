import * as v from 'valibot'

/** The state of one part of the system. `healthLevel` in `shared/rules/health.ts` says which are good or bad. */
export const HealthStatus = v.picklist(['connected', 'configured', 'alive', 'missing', 'damaged', 'unwritable', 'slow'])
export type HealthStatus = v.InferOutput<typeof HealthStatus>

/** `timestamp` is the last check's. */
export const Health = v.object({
  status: v.picklist(['ok', 'error']),
  timestamp: v.string(),
  services: v.object({
    database: HealthStatus,
    payments: HealthStatus,
    email: HealthStatus,
    jobs: HealthStatus,
    /** Whether the watched reports arrive on time; absent if none is watched. */
    reports: v.optional(HealthStatus),
    /** Whether the nightly backup was made and isn't overdue; absent if none is scheduled. */
    backups: v.optional(HealthStatus),
    /** Present while a login waits a long time for its password check. */
    logins: v.optional(HealthStatus),
  }),
})
export type Health = v.InferOutput<typeof Health>

/** Whether the server takes requests, for what starts, updates and watches it. `release` is null in a clone. */
export const Readiness = v.object({ ready: v.boolean(), release: v.nullable(v.string()) })
