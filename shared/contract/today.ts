import * as v from 'valibot'
import { AdminApplication, AdminBooking, AdminCoachingApplication, ContactRecord } from './inbox-entries.ts'
import { AdminMail } from './mail.ts'

const rowsOf = <Schema extends v.GenericSchema>(row: Schema) => v.object({ total: v.number(), rows: v.array(row) })

/** Of money; `gross` in pence, `at` when it was paid. */
export const TodayPayment = v.object({
  /** Of our invoice. */
  number: v.string(),
  /** The account that paid; null where there is none, or no longer. */
  memberId: v.nullable(v.string()),
  name: v.string(),
  gross: v.number(),
  at: v.nullable(v.string()),
})
export type TodayPayment = v.InferOutput<typeof TodayPayment>

/** A member whose renewal is not paid, and what happens next. */
export const TodayFailure = v.object({
  memberId: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.nullable(v.string()),
  /** Pence including VAT; all that is open. */
  due: v.number(),
  /** When the provider tries again by itself; null where it does not, or no longer. */
  nextAttemptAt: v.nullable(v.string()),
  hasAccess: v.boolean(),
  /** Until when there is access although it is unpaid. */
  graceEndsOn: v.nullable(v.string()),
})
export type TodayFailure = v.InferOutput<typeof TodayFailure>

/** An address that an owner changed, and that `before` says isn't theirs; `email` is what the account has now. */
export const TodayEmailReport = v.object({
  memberId: v.string(),
  name: v.string(),
  email: v.string(),
  before: v.string(),
  at: v.string(),
})
export type TodayEmailReport = v.InferOutput<typeof TodayEmailReport>

/** `at`: its last run, or until when it is locked. */
export const JobProblem = v.object({
  name: v.string(),
  problem: v.picklist(['failed', 'late', 'locked']),
  at: v.nullable(v.string()),
})
export type JobProblem = v.InferOutput<typeof JobProblem>

/** A check of `alliance doctor` that is not satisfied; `message` is in its words. */
export const DoctorFinding = v.object({
  check: v.string(),
  state: v.picklist(['warning', 'failed']),
  message: v.string(),
})
export type DoctorFinding = v.InferOutput<typeof DoctorFinding>

/** What two owners look at in the morning: the first few of each, and how many there are. */
export const Today = v.object({
  asOf: v.string(),
  /** Pending ones, the newest first. */
  applications: rowsOf(AdminApplication),
  coaching: rowsOf(AdminCoachingApplication),
  /** Messages that nobody has seen to yet, the newest first. */
  contacts: rowsOf(ContactRecord),
  /** Since the beginning of `since`, a day in London; `sum` in pence. */
  payments: v.object({ ...rowsOf(TodayPayment).entries, since: v.string(), sum: v.number() }),
  failures: rowsOf(TodayFailure),
  /** Each waits for an owner, and sign-in emails to it meanwhile. */
  emailReports: v.array(TodayEmailReport),
  /** Members who may leave. */
  atRisk: v.number(),
  /** Still to be held, the next one first. */
  calls: rowsOf(AdminBooking),
  /** `late` waits for more than an hour; `rows` are the newest that were refused. */
  mail: v.object({
    waiting: v.number(),
    late: v.number(),
    refused: v.number(),
    failed: v.number(),
    rows: v.array(AdminMail),
  }),
  jobs: v.array(JobProblem),
  findings: v.array(DoctorFinding),
})
export type Today = v.InferOutput<typeof Today>
