import { lt, lte } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { checkIntegrity } from '#api/db/integrity.ts'
import { deleteOldTexts } from '#api/db/people-found.ts'
import { mendPersonTexts } from '#api/db/person-texts.ts'
import { apiTokens, passwordResets, sessions } from '#api/db/schema/sessions.ts'
import { shortenLog } from '#api/db/storage.ts'
import { deleteOldAuthEntries } from '#api/features/accounts/login/audit-service.ts'
import { deleteOldCodes } from '#api/features/accounts/login/factor-queries.ts'
import { deleteOldEndings } from '#api/features/accounts/login/session-service.ts'
import { cancelUnfinished, endExpiredUpgrades } from '#api/features/billing/jobs.ts'
import { bookPriceMoves } from '#api/features/billing/price-move-jobs.ts'
import { announceRenewals } from '#api/features/billing/renewals/jobs.ts'
import { announceAccessEnds } from '#api/features/billing-mails/access-ends-jobs.ts'
import { remindOfCalls } from '#api/features/calendar/jobs.ts'
import { mailMornings } from '#api/features/calendar/morning-service.ts'
import { deleteExpiredHolds } from '#api/features/calendar/queries.ts'
import { mailCommitmentWeek, remindOfCommitments } from '#api/features/commitments/jobs.ts'
import { forgetOldCommitmentChanges } from '#api/features/commitments/service.ts'
import { closeMonths, writeHeldBookings } from '#api/features/earnings/month-jobs.ts'
import { clockDoubt } from '#api/features/earnings/revenue/clock-service.ts'
import { openMonths } from '#api/features/earnings/revenue/month-service.ts'
import { deletionDoubt } from '#api/features/earnings/revenue/provider-clock-service.ts'
import { recountSums } from '#api/features/earnings/revenue/sums-service.ts'
import { removeOldImports, runImports } from '#api/features/imports/jobs.ts'
import { onImportWaiting } from '#api/features/imports/wake-service.ts'
import { recordLastSent, sendMail } from '#api/features/mail/delivery-service.ts'
import { removeOldUploads } from '#api/features/media/jobs.ts'
import { readPieces } from '#api/features/media/pieces-service.ts'
import { removeAbandonedAccounts } from '#api/features/members/abandoned-jobs.ts'
import { endFreeAccesses } from '#api/features/members/jobs.ts'
import { deleteOldNotices, sendNotices } from '#api/features/notices/jobs.ts'
import { onNotice } from '#api/features/notices/wake-service.ts'
import { backUp } from '#api/features/operations/backup/jobs.ts'
import { rehearse } from '#api/features/operations/backup/rehearsal-jobs.ts'
import { beat } from '#api/features/operations/health/service.ts'
import { announceCardExpiry } from '#api/features/outreach/follow-ups/card-expiry-jobs.ts'
import { sendFollowUps } from '#api/features/outreach/follow-ups/jobs.ts'
import { queueMailings } from '#api/features/outreach/mailings/jobs.ts'
import { deleteSentFinalMails } from '#api/features/profile/final-mails.ts'
import { readQuestionFiles } from '#api/features/questions/jobs.ts'
import { forgetLostFiles } from '#api/features/questions/lost-files-service.ts'
import { onFileArrived } from '#api/features/questions/wake-service.ts'
import { cancelUnpaidOrders } from '#api/features/quotient/jobs.ts'
import { reconcile, reconcileCustomers } from '#api/features/reconcile/jobs.ts'
import { deleteOldCounts } from '#api/features/site/analytics/service.ts'
import { forgetOldChanges } from '#api/features/videos/progress/service.ts'
import { checkFiles } from '#api/features/videos/shelf/check-service.ts'
import { makeVersions } from '#api/features/videos/shelf/jobs.ts'
import { tellOfNewVideos } from '#api/features/videos/tell-service.ts'
import { onVideoOut } from '#api/features/videos/wake-service.ts'
import type { Job } from '#api/jobs/job.ts'
import { onMailQueued } from '#api/mail/outbox-wake-up.ts'
import { deleteUnsentText } from '#api/mail/retry.ts'
import { deleteOldKeys } from '#api/serving/idempotency.ts'
import { deleteOldHits } from '#api/serving/rate-limits.ts'
import { onVideoFileChanged } from '#api/video-files/wake-up.ts'
import type { JobReport } from '#shared/contract/jobs.ts'
import { dayMs } from '#shared/rules/durations.ts'

async function deleteExpired(ctx: Context) {
  const { db } = ctx
  const now = ctx.now().toISOString()
  const yesterday = new Date(ctx.now().getTime() - dayMs).toISOString()
  return {
    limitHits: deleteOldHits(ctx),
    dailyCounts: deleteOldCounts(ctx),
    idempotencyAnswers: deleteOldKeys(ctx),
    unsentMails: deleteUnsentText(ctx),
    finalMails: deleteSentFinalMails(ctx),
    authEntries: deleteOldAuthEntries(ctx),
    progressChanges: forgetOldChanges(ctx),
    commitmentChanges: forgetOldCommitmentChanges(ctx),
    callHolds: deleteExpiredHolds(ctx),
    lostQuestionFiles: forgetLostFiles(ctx),
    endedLogins: deleteOldEndings(ctx),
    uploads: removeOldUploads(ctx),
    imports: removeOldImports(ctx),
    notices: deleteOldNotices(ctx),
    sessions: db.delete(sessions).where(lte(sessions.expire, now)).run().changes,
    ...deleteOldCodes(ctx),
    passwordResets: db.delete(passwordResets).where(lt(passwordResets.expiresAt, yesterday)).run().changes,
    apiTokens: db.delete(apiTokens).where(lte(apiTokens.expiresAt, now)).run().changes,
    searchTexts: await deleteOldTexts(ctx),
  }
}

/** With `all` it first mends the search index, wherever it doesn't match the accounts. */
const cleanUp: Job['run'] = (ctx, how) => {
  if (how.all) mendPersonTexts(ctx.sqlite)
  return unlessInDoubt(deleteExpired)(ctx, how)
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

export const jobs: readonly Job[] = [
  { name: 'mail', everyMs: 5 * second, run: sendMail, subscribe: onMailQueued, finish: recordLastSent },
  { name: 'notices', everyMs: 10 * second, run: sendNotices, subscribe: onNotice },
  { name: 'heartbeat', everyMs: minute, run: beat },
  { name: 'clean-up', everyMs: hour, run: cleanUp, takesAll: true },
  { name: 'month-end', everyMs: hour, run: endMonths, takesAll: true },
  { name: 'abandoned', everyMs: 24 * hour, run: unlessInDoubt(removeAbandonedAccounts) },
  { name: 'unpaid-orders', everyMs: 24 * hour, run: unlessInDoubt(cancelUnpaidOrders) },
  { name: 'unfinished', everyMs: hour, run: unlessInDoubt(cancelUnfinished) },
  { name: 'upgrades', everyMs: minute, run: endExpiredUpgrades },
  { name: 'price-moves', everyMs: hour, run: bookPriceMoves },
  { name: 'free-access', everyMs: hour, run: unlessInDoubt(endFreeAccesses) },
  { name: 'access-ends', everyMs: hour, run: announceAccessEnds },
  { name: 'renewals', everyMs: hour, run: announceRenewals },
  { name: 'card-expiry', everyMs: 24 * hour, run: announceCardExpiry },
  { name: 'follow-ups', everyMs: hour, run: sendFollowUps },
  { name: 'mailings', everyMs: 10 * second, run: queueMailings },
  { name: 'call-reminders', everyMs: 5 * minute, run: remindOfCalls },
  { name: 'call-mornings', everyMs: 5 * minute, run: mailMornings },
  { name: 'new-videos', everyMs: minute, run: tellOfNewVideos, subscribe: onVideoOut },
  { name: 'commitments', everyMs: hour, run: remindOfCommitments },
  { name: 'commitment-week', everyMs: hour, run: mailCommitmentWeek },
  { name: 'media-pieces', everyMs: hour, run: readPieces },
  { name: 'media-checks', everyMs: 24 * hour, run: checkFiles },
  { name: 'media-versions', everyMs: hour, run: makeVersions, subscribe: onVideoFileChanged },
  { name: 'question-files', everyMs: minute, run: readQuestionFiles, subscribe: onFileArrived },
  { name: 'imports', everyMs: minute, run: runImports, subscribe: onImportWaiting },
  { name: 'checkpoint', everyMs: minute, run: shortenLog },
  { name: 'integrity', everyMs: 24 * hour, run: checkIntegrity },
  { name: 'backup', everyMs: 10 * minute, run: backUp },
  { name: 'rehearsal', everyMs: 7 * 24 * hour, run: rehearse },
  { name: 'reconcile', everyMs: 24 * hour, run: reconcile, takesAll: true },
]

/** Wraps a run that ends things for good because they're old. It skips them while the clock may be wrong. */
function unlessInDoubt(run: (ctx: Context) => Promise<JobReport> | JobReport): Job['run'] {
  return async (ctx) => {
    const waits = await deletionDoubt(ctx)
    return waits === null ? run(ctx) : { waits }
  }
}

/**
 * Closes the months that have ended, with Stripe's figures. Customers are synced first, since webhooks missed while the server
 * was down would otherwise make a closed month wrong for good. If Stripe can't be reached, or the clock looks wrong, the months
 * stay open. With `all` it first adds up again what triggers keep.
 */
async function endMonths(ctx: Context, { all }: { all: boolean }) {
  if (all) recountSums(ctx)
  await writeHeldBookings(ctx)
  if (clockDoubt(ctx) === null && openMonths(ctx).length > 1)
    await reconcileCustomers(ctx, { all: false, mustBeWhole: true })
  return closeMonths(ctx)
}
