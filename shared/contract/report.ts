import * as v from 'valibot'
import { Day, Pence } from './fields.ts'
import { RevenueMonth, revenueMovements } from './revenue.ts'
import { DoctorFinding, JobProblem, TodayFailure } from './today.ts'

export const reportKinds = ['daily', 'weekly', 'monthly'] as const
export const ReportKind = v.picklist(reportKinds)
export type ReportKind = v.InferOutput<typeof ReportKind>
export const ReportParams = v.object({ kind: ReportKind })

/** `mail` sends it to the owners; `watch` starts or stops `/health` watching for this report. */
export const ReportRequest = v.object({
  always: v.optional(v.boolean(), false),
  mail: v.optional(v.boolean(), false),
  watch: v.optional(v.boolean()),
})
export type ReportRequest = v.InferOutput<typeof ReportRequest>

export const ReportDoneRequest = v.object({ claim: v.pipe(v.string(), v.maxLength(64)) })

const Sum = v.object({ count: v.number(), gross: Pence })
const Waiting = v.object({ id: v.string(), text: v.string() })

/** Whole days in London, the last of which has ended. Amounts are pence; payments and refunds include VAT. */
export const Report = v.object({
  kind: ReportKind,
  from: Day,
  to: Day,
  /** Something happened in these days, or the owners' open items have changed. */
  hasNews: v.boolean(),
  /** MRR excluding VAT, and the number of subscriptions in it. */
  mrr: v.object({ total: Pence, subscriptions: v.number() }),
  movements: v.array(
    v.object({ kind: v.picklist(revenueMovements), name: v.string(), change: v.pipe(v.number(), v.safeInteger()) }),
  ),
  payments: Sum,
  refunds: Sum,
  /** Open items: the first few of each, and the total. */
  failures: v.object({ total: v.number(), rows: v.array(TodayFailure) }),
  applications: v.object({ total: v.number(), rows: v.array(Waiting) }),
  contacts: v.object({ total: v.number(), rows: v.array(Waiting) }),
  calls: v.object({ total: v.number(), rows: v.array(Waiting) }),
  mail: v.object({ late: v.number(), refused: v.number(), failed: v.number() }),
  jobs: v.array(JobProblem),
  findings: v.array(DoctorFinding),
  /** For a monthly report: the month's figures, and what we owe the sales partner at its end. */
  month: v.nullable(RevenueMonth),
  commissionOwed: v.nullable(v.pipe(v.number(), v.safeInteger())),
})
export type Report = v.InferOutput<typeof Report>

/**
 * `isDue`: this call is the one that reports these days; the others should print nothing. Send `claim` back after printing; null if
 * there's nothing to confirm, because the emails are queued.
 */
export const ReportResponse = v.object({
  report: Report,
  isDue: v.boolean(),
  claim: v.nullable(v.string()),
  mailedTo: v.array(v.string()),
})
export type ReportResponse = v.InferOutput<typeof ReportResponse>
