import * as v from 'valibot'

/** What a part of the system can say of itself; `shared/rules/health.ts` tells the good from the bad. */
export const HealthWord = v.picklist(['connected', 'configured', 'alive', 'missing', 'not set up'])
export type HealthWord = v.InferOutput<typeof HealthWord>

/** `timestamp` is the last check. */
export const Health = v.object({
  status: v.picklist(['ok', 'error']),
  timestamp: v.string(),
  services: v.object({
    database: HealthWord,
    payments: HealthWord,
    email: HealthWord,
    jobs: HealthWord,
    backup: HealthWord,
  }),
})
export type Health = v.InferOutput<typeof Health>
