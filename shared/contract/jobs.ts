import * as v from 'valibot'

/** Counts and words for the terminal and the log; no names, addresses or tokens. */
export const JobReport = v.record(v.string(), v.union([v.number(), v.string(), v.boolean(), v.null()]))
export type JobReport = v.InferOutput<typeof JobReport>

export const JobState = v.object({
  name: v.string(),
  everyMs: v.number(),
  isRunning: v.boolean(),
  /** When the last run that ended well began. */
  lastRunAt: v.nullable(v.string()),
  /** Of the last run, `{ failed }` where it threw. */
  lastReport: v.nullable(JobReport),
})
export type JobState = v.InferOutput<typeof JobState>
export const JobStates = v.array(JobState)

export const JobParams = v.object({ name: v.pipe(v.string(), v.maxLength(100)) })

/** `all`: what cannot have changed too. */
export const JobRunRequest = v.optional(v.object({ all: v.optional(v.boolean(), false) }))

/** `skipped`: somebody else is running it just now; there is no report then. */
export const JobRun = v.object({ name: v.string(), skipped: v.boolean(), report: v.nullable(JobReport) })
export type JobRun = v.InferOutput<typeof JobRun>

/** How many of our rows were not as the provider says, by kind. `users`: what is repeated of it beside the account. */
export const RepairedRows = v.object({
  subscriptions: v.number(),
  invoices: v.number(),
  refunds: v.number(),
  cards: v.number(),
  users: v.number(),
})
export type RepairedRows = v.InferOutput<typeof RepairedRows>

/** `hasCustomer`: false where the person was never anybody to the payment provider. */
export const MemberSync = v.object({ memberId: v.string(), hasCustomer: v.boolean(), mended: RepairedRows })
export type MemberSync = v.InferOutput<typeof MemberSync>
