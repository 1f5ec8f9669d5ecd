import * as v from 'valibot'
import { questionStates } from '#shared/values/question-values.ts'
import { AdminApplication, AdminBooking, AdminCoachingApplication, ContactRecord } from './inbox-entries.ts'
import { AdminMail, MailStop } from './mail.ts'

const rowsOf = <Schema extends v.GenericSchema>(row: Schema) => v.object({ total: v.number(), rows: v.array(row) })

/** `gross` and what's been `refunded` of it are pence, `at` when it was paid. */
export const TodayPayment = v.object({
  number: v.string(),
  /** The account that paid; null if there's none, or it's gone. */
  memberId: v.nullable(v.string()),
  name: v.string(),
  gross: v.number(),
  refunded: v.number(),
  at: v.nullable(v.string()),
})
export type TodayPayment = v.InferOutput<typeof TodayPayment>

export const TodayFailure = v.object({
  memberId: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.nullable(v.string()),
  /** Everything open, in pence including VAT. */
  due: v.number(),
  /** When Stripe retries; null if it doesn't, or has stopped. */
  nextAttemptAt: v.nullable(v.string()),
  hasAccess: v.boolean(),
  /** When the access they still have ends. */
  graceEndsOn: v.nullable(v.string()),
  /** When an owner last emailed a link for a new card, within the last week. */
  askedAt: v.nullable(v.string()),
})
export type TodayFailure = v.InferOutput<typeof TodayFailure>

/** An owner changed this account's address, and `before` says it isn't theirs. `email` is the account's now. */
export const TodayEmailReport = v.object({
  memberId: v.string(),
  name: v.string(),
  email: v.string(),
  before: v.string(),
  at: v.string(),
})
export type TodayEmailReport = v.InferOutput<typeof TodayEmailReport>

/** As Inbox lists it. Its own shape, so that the owners' first screen doesn't load the members' sync. */
const TodayQuestion = v.object({
  id: v.string(),
  member: v.object({ id: v.string(), name: v.string(), email: v.string(), tier: v.nullable(v.string()) }),
  video: v.nullable(v.object({ id: v.nullable(v.string()), title: v.string(), seconds: v.number() })),
  excerpt: v.string(),
  photos: v.number(),
  voiceNotes: v.number(),
  isComing: v.boolean(),
  state: v.picklist(questionStates),
  askedAt: v.string(),
  waitsSince: v.nullable(v.string()),
  answeredAt: v.nullable(v.string()),
  version: v.number(),
})

export const JobProblem = v.object({
  name: v.string(),
  problem: v.picklist(['failed', 'late', 'locked']),
  at: v.nullable(v.string()),
})
export type JobProblem = v.InferOutput<typeof JobProblem>

/**
 * A failing check from `alliance doctor`, with its message. `member`: the one person it's about. `renewsOn`: the day of their renewal,
 * which can be put off.
 */
export const DoctorFinding = v.object({
  check: v.string(),
  state: v.picklist(['warning', 'failed']),
  message: v.string(),
  member: v.optional(v.object({ id: v.string(), name: v.string() })),
  renewsOn: v.optional(v.string()),
})
export type DoctorFinding = v.InferOutput<typeof DoctorFinding>

/** What the two owners look at in the morning: the first few of each, and the total. */
export const Today = v.object({
  asOf: v.string(),
  /** Pending ones, newest first. */
  applications: rowsOf(AdminApplication),
  coaching: rowsOf(AdminCoachingApplication),
  /** Messages no owner has dealt with yet, newest first. */
  contacts: rowsOf(ContactRecord),
  /** Questions that have waited for more than a day, the longest wait first. */
  questions: rowsOf(TodayQuestion),
  /** From the start of `since`, a day in London; `sum` in pence. */
  payments: v.object({ ...rowsOf(TodayPayment).entries, since: v.string(), sum: v.number() }),
  /** `due` is what all of them owe, in pence including VAT. */
  failures: v.object({ ...rowsOf(TodayFailure).entries, due: v.number() }),
  /** Those of `failures` no owner has asked for a new card this week. */
  chase: rowsOf(TodayFailure),
  /** Each waits for an owner's decision. Until then, so do sign-in emails to the address. */
  emailReports: v.array(TodayEmailReport),
  atRisk: v.number(),
  /** Upcoming, next one first. */
  calls: rowsOf(AdminBooking),
  /** `late` has waited for more than an hour, unless all emails wait; `rows` are the newest refused ones. */
  mail: v.object({
    waiting: v.number(),
    late: v.number(),
    refused: v.number(),
    failed: v.number(),
    stopped: v.nullable(MailStop),
    rows: v.array(AdminMail),
  }),
  jobs: v.array(JobProblem),
  findings: v.array(DoctorFinding),
})
export type Today = v.InferOutput<typeof Today>
