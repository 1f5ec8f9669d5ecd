import { lt, lte } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { apiTokens, passwordResets, sessions } from '#api/db/schema/sessions.ts'
import { deleteOldEvents } from '#api/features/analytics/service.ts'
import { deleteOldAuthEntries } from '#api/features/auth/audit-service.ts'
import { deleteOldEndings } from '#api/features/auth/session-service.ts'
import { deleteExpiredHolds } from '#api/features/calendar/queries.ts'
import { deleteSentFinalMails } from '#api/features/members/final-mails.ts'
import { forgetOldChanges } from '#api/features/progress/service.ts'
import { deleteOldKeys } from '#api/http/idempotency.ts'
import { deleteOldHits } from '#api/http/rate-limits.ts'
import { deleteUnsentText } from '#api/mail/retry.ts'

const day = 24 * 60 * 60 * 1000

/** Deletes what has expired. Returns how many rows of each kind. */
export function deleteExpired(ctx: Context) {
  const { db } = ctx
  const now = ctx.now().toISOString()
  const yesterday = new Date(ctx.now().getTime() - day).toISOString()
  return {
    limitHits: deleteOldHits(ctx),
    analyticsEvents: deleteOldEvents(ctx),
    idempotencyAnswers: deleteOldKeys(ctx),
    unsentMails: deleteUnsentText(ctx),
    finalMails: deleteSentFinalMails(ctx),
    authEntries: deleteOldAuthEntries(ctx),
    progressChanges: forgetOldChanges(ctx),
    callHolds: deleteExpiredHolds(ctx),
    endedLogins: deleteOldEndings(ctx),
    sessions: db.delete(sessions).where(lte(sessions.expire, now)).run().changes,
    passwordResets: db.delete(passwordResets).where(lt(passwordResets.expiresAt, yesterday)).run().changes,
    apiTokens: db.delete(apiTokens).where(lte(apiTokens.expiresAt, now)).run().changes,
  }
}
