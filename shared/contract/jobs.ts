import * as v from 'valibot'

/** Counts and short texts for the terminal and the log; never names, addresses or tokens. */
export const JobReport = v.record(v.string(), v.union([v.number(), v.string(), v.boolean(), v.null()]))
export type JobReport = v.InferOutput<typeof JobReport>

export const JobState = v.object({
  name: v.string(),
  everyMs: v.number(),
  isRunning: v.boolean(),
  lastRunAt: v.nullable(v.string()),
  /** The last run's report; `{ failed }` if it threw. */
  lastReport: v.nullable(JobReport),
})
export type JobState = v.InferOutput<typeof JobState>
export const JobStates = v.array(JobState)

export const JobParams = v.object({ name: v.pipe(v.string(), v.maxLength(100)) })

/** `all` includes what can't have changed since the last run. */
export const JobRunRequest = v.optional(v.object({ all: v.optional(v.boolean(), false) }))

/** `skipped`: another process has the job's lock, so there's no report. */
export const JobRun = v.object({ name: v.string(), skipped: v.boolean(), report: v.nullable(JobReport) })
export type JobRun = v.InferOutput<typeof JobRun>

/** How many of our rows differed from Stripe's objects, by kind. `users` are the columns on the account that repeat them. */
export const RepairedRows = v.object({
  subscriptions: v.number(),
  invoices: v.number(),
  refunds: v.number(),
  cards: v.number(),
  users: v.number(),
})
export type RepairedRows = v.InferOutput<typeof RepairedRows>

/** `hasCustomer` is false if the person was never a customer at Stripe. */
export const MemberSync = v.object({ memberId: v.string(), hasCustomer: v.boolean(), mended: RepairedRows })
export type MemberSync = v.InferOutput<typeof MemberSync>
