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

/** What can have had trouble. `site`: the site didn't answer at all. */
export const incidentParts = ['site', 'database', 'logins', 'backups', 'reports'] as const
export type IncidentPart = (typeof incidentParts)[number]

export const Incident = v.object({
  part: v.picklist(incidentParts),
  startedAt: v.string(),
  /** Null while it goes on. */
  endedAt: v.nullable(v.string()),
})
export type Incident = v.InferOutput<typeof Incident>

/** The last 90 days, as far as they're known: `since` is the first day of the records. Incidents are newest first. */
export const HealthHistory = v.object({ since: v.string(), today: v.string(), incidents: v.array(Incident) })
export type HealthHistory = v.InferOutput<typeof HealthHistory>

/** Whether the server takes requests, for what starts, updates and watches it. `release` is null in a clone. */
export const Readiness = v.object({ ready: v.boolean(), release: v.nullable(v.string()) })
