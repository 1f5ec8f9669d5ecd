import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { ownerMailboxes } from '#api/features/accounts/owner-queries.ts'
import { isNewestAfterNow } from '#api/features/earnings/revenue/clock-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { paragraph } from '#api/mail/templates/layout.ts'
import type { Report, ReportKind, ReportRequest, ReportResponse } from '#shared/contract/report.ts'
import { londonDay } from '#shared/rules/london.ts'
import { reportDays } from '#shared/rules/report-days.ts'
import { reportLines, reportTitle } from '#shared/rules/report-text.ts'
import { buildReport, fingerprintOf } from './digest-service.ts'

/** How long a claimant may take to print a report. If it dies, the next run prints it. */
const claimMs = 60_000
/** A clock correction of up to this much over midnight doesn't bring a report twice. */
const setRightMs = 60 * 60_000

const State = v.object({
  /** Empty before the first report. */
  reported: v.string(),
  fingerprint: v.string(),
  /** Who is printing, since when, and up to which day. */
  claim: v.nullable(v.object({ id: v.string(), at: v.string(), to: v.string(), fingerprint: v.string() })),
})
type State = v.InferOutput<typeof State>

const keyOf = (kind: ReportKind) => `report.${kind}`
const before: State = { reported: '', fingerprint: '', claim: null }

function readState(ctx: Context, kind: ReportKind): State {
  const parsed = v.safeParse(State, readSetting(ctx, keyOf(kind))?.value)
  return parsed.success ? parsed.output : before
}

/** Ignores days in the future, recorded before the clock was set back. The caller has checked today's clock. */
function withoutFuture(ctx: Context, kind: ReportKind, state: State): State {
  const soon = londonDay(new Date(ctx.billingNow().getTime() + setRightMs))
  return state.reported > reportDays(kind, soon).to ? { ...before, claim: state.claim } : state
}

/** Each report prints once, however many processes ask and however often cron runs. An explicit request always gets it. */
export async function takeReport(
  ctx: Context,
  owner: Owner,
  { kind, always, mail, watch }: ReportRequest & { kind: ReportKind },
): Promise<ReportResponse> {
  const days = reportDays(kind, londonDay(ctx.billingNow()))
  const facts = await buildReport(ctx, kind, days)
  return transact(ctx, () => {
    const state = withoutFuture(ctx, kind, readState(ctx, kind))
    const fingerprint = fingerprintOf(facts)
    const report = { ...facts, hasNews: hasNews(facts, fingerprint !== state.fingerprint) }
    recordWatch(ctx, kind, watch)
    // A slow clock would report days long gone, and its record would make later ones print twice.
    const isInDoubt = isNewestAfterNow(ctx)
    const isOpen = state.reported < days.to && !isHeld(ctx, state) && !isInDoubt
    const isDue = always || (isOpen && report.hasNews)
    if (!isDue) {
      if (isOpen) writeSetting(ctx, keyOf(kind), { reported: days.to, fingerprint, claim: null } satisfies State)
      return { report, isDue, claim: null, mailedTo: [] }
    }
    const claim = mail || isInDoubt ? null : { id: ctx.newId(), at: ctx.now().toISOString(), to: days.to, fingerprint }
    const mailedTo = mail ? queueReportMails(ctx, report, isOpen ? null : ctx.newId()) : []
    const next = mail ? { reported: days.to, fingerprint, claim: null } : { ...state, claim }
    if (!isInDoubt) writeSetting(ctx, keyOf(kind), next satisfies State)
    audit(ctx, owner.actor, 'report.made', { detail: { kind, from: days.from, to: days.to, mailed: mailedTo.length } })
    return { report, isDue, claim: claim?.id ?? null, mailedTo }
  })
}

/** A claim in the future was made before the clock was set back. */
function isHeld(ctx: Context, { claim }: State): boolean {
  const age = claim === null ? Number.NaN : ctx.now().getTime() - Date.parse(claim.at)
  return age >= 0 && age < claimMs
}

/** Records a printed report. Ignores another process's claim or an older one. */
export function endReport(ctx: Context, owner: Owner, { kind, claim }: { kind: ReportKind; claim: string }) {
  return transact(ctx, () => {
    const state = readState(ctx, kind)
    if (state.claim?.id !== claim) return { success: true as const }
    const { to: reported, fingerprint } = state.claim
    writeSetting(ctx, keyOf(kind), { reported, fingerprint, claim: null } satisfies State)
    audit(ctx, owner.actor, 'report.printed', { detail: { kind, to: reported } })
    return { success: true as const }
  })
}

const hasNews = (report: Report, isOther: boolean) =>
  isOther || report.payments.count + report.refunds.count + report.movements.length > 0

const watchKey = (kind: ReportKind) => `report-watch.${kind}`

/** Each run of a watched report shows that cron is alive. The setting's time is the last run. */
function recordWatch(ctx: Context, kind: ReportKind, watch: boolean | undefined): void {
  const isWatched = watch ?? readSetting(ctx, watchKey(kind))?.value === true
  if (isWatched || watch === false) writeSetting(ctx, watchKey(kind), isWatched)
}

/** One mail per owner for these days. Call it in the transaction that records the report. */
function queueReportMails(ctx: Context, report: Report, again: string | null): string[] {
  const title = reportTitle(report)
  const message = {
    subject: title,
    heading: title,
    blocks: [{ kind: 'rows', rows: reportLines(report) } as const, paragraph(`More: ${ctx.settings.publicUrl}/admin`)],
  }
  const base = `report-${report.kind}:${report.from}${again === null ? '' : `:${again}`}`
  for (const to of ownerMailboxes(ctx)) {
    queueMessage(ctx, { cause: `${base}:${to}`, to, userId: null, isRepeatable: true }, message)
  }
  return [...ownerMailboxes(ctx)]
}
