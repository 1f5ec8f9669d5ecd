import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '#api/context.ts'
import { damageOf, isDamaged } from '#api/db/damage.ts'
import { greatest } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { findRefusal } from '#api/features/notices/refusal-service.ts'
import { findUnfinished } from '#api/features/site/content/check-service.ts'
import { unknownProxies } from '#api/serving/unknown-proxies.ts'
import { siteSettings } from '#api/site/settings.ts'
import type { DoctorFinding } from '#shared/contract/today.ts'
import { checkNightlyBackup } from './backup-rules.ts'
import { type Check, failed } from './check-rules.ts'
import { checkDashboard } from './dashboard-rules.ts'
import { checkFailedPayments } from './failed-payments-rules.ts'
import { checkFolder } from './folder-rules.ts'
import { checkInvoices } from './invoices-rules.ts'
import { checkMedia } from './media-rules.ts'
import { checkDeletions, checkPayments } from './payments-rules.ts'
import { checkPush } from './push-rules.ts'
import { checkMoneyBack } from './refunds-rules.ts'
import { checkRenewals } from './renewals-rules.ts'
import { checkContent, checkMailServer, checkProxies, checkSeller, checkStripeMails } from './settings-rules.ts'

type Known = { lastEntry: string | null; isDamaged: boolean; at: number; findings: DoctorFinding[] }

const knownOf = new WeakMap<Context, Known>()
const maxAgeMs = 5 * 60_000

const lastAuditEntry = preparedQuery()((db) => db.select({ id: greatest(auditEntries.id) }).from(auditEntries))

/**
 * Leaves out mail and jobs, and checks that read the whole file or call others. Comparing the books is slow, so the result is
 * cached for five minutes, or until an audit entry shows someone fixed something, or the pages are checked.
 */
export async function listFindings(ctx: Context): Promise<DoctorFinding[]> {
  const lastEntry = lastAuditEntry.get(ctx)?.id ?? null
  const at = ctx.now().getTime()
  const now = { lastEntry, isDamaged: isDamaged(ctx) }
  const known = knownOf.get(ctx)
  const isSame = known?.lastEntry === lastEntry && known.isDamaged === now.isDamaged
  if (isSame && Math.abs(at - known.at) < maxAgeMs) return known.findings
  const checks = await runChecks(ctx)
  const findings = checks.flatMap(({ name, state, message, parts = [{ message }] }) =>
    state === 'ok' ? [] : parts.map((part) => ({ check: name, state, ...part })),
  )
  knownOf.set(ctx, { ...now, at, findings })
  return findings
}

/** In the words of the log, which say what loses nothing: a restart isn't always right. */
const damageCheck = (ctx: Context) => failed('integrity', damageOf(ctx) ?? 'The database is damaged.')

/** Yields between two checks so that requests get served. */
async function runChecks(ctx: Context): Promise<Check[]> {
  const checks: Check[] = isDamaged(ctx) ? [damageCheck(ctx)] : []
  checks.push(...checkPayments(ctx.db, ctx.now(), ctx.billingNow), checkDeletions(ctx))
  await setImmediate()
  checks.push(
    checkFailedPayments(ctx.db, ctx.billingNow),
    ...checkDashboard(ctx.db, ctx.billingNow),
    ...checkRenewals(ctx.db, ctx.billingNow),
    ...checkMoneyBack(ctx.db, ctx.now(), ctx.billingNow),
  )
  await setImmediate()
  checks.push(
    ...checkInvoices(ctx.db, ctx.billingNow),
    ...checkNightlyBackup(ctx, ctx.now()),
    ...(await checkSettings(ctx)),
  )
  if (ctx.sqlite.memory) return checks
  return [...checks, ...checkFolder(dirname(ctx.sqlite.name), ctx.sqlite.name), checkMedia(ctx)]
}

async function checkSettings(ctx: Context): Promise<Check[]> {
  const { isSandbox, smtpUrl } = ctx.settings
  const { seller, sampleSellerOptions: samples, stripeMailsAreOff: areOff } = siteSettings(ctx)
  const unsent = { isSandbox, smtpUrl: undefined, isSampleSender: false }
  return [
    checkSeller({ isSandbox, vatNumber: seller.vatNumber, samples }),
    checkContent(isSandbox, findUnfinished(ctx)),
    checkProxies(ctx.settings, unknownProxies(ctx)),
    checkStripeMails({ isSandbox, areOff }),
    checkPush(ctx.settings, { site: siteSettings(ctx), refusal: findRefusal(ctx) }),
    ...(smtpUrl === undefined ? [await checkMailServer(unsent)] : []),
  ]
}
