import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { emailChanges } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import { isConfigured } from '#api/features/accounts/owner-queries.ts'
import type { Member } from '#api/identity/person.ts'
import { assertProvenAgain } from '#api/identity/proof.ts'
import { keyedHash, newToken } from '#api/secrets.ts'
import { assertWithinLimits, rateLimits, recordHit, recordHitsInAdvance } from '#api/serving/rate-limits.ts'
import type { Profile } from '#shared/contract/profile.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { withdrawEmailChange } from './link-service.ts'
import { queueConfirmMail, queueTakenMail } from './mails.ts'
import { isKnownAddress } from './queries.ts'
import { spendProof } from './session-service.ts'

export const hourMs = 60 * 60_000
export const confirmHours = 24
/** How long the old address can undo a change, unless a membership is bought first. No second change is possible until then. */
export const undoMs = 7 * 24 * hourMs

export const hashOf = (ctx: Context, purpose: 'confirm' | 'undo', token: string) =>
  keyedHash(ctx, `email-${purpose}`, token)
export const after = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()

export type Change = typeof emailChanges.$inferSelect

/** The address to be confirmed, and until when the current one can't change. */
export function emailStateOf(ctx: Context, userId: string): Pick<Profile, 'pendingEmail' | 'emailFixedUntil'> {
  const now = ctx.now().toISOString()
  const waiting = ctx.db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.confirmedAt)))
    .orderBy(desc(emailChanges.requestedAt))
    .get()
  const done = lastDone(ctx, userId)
  const fixedUntil = done === undefined ? null : after(done.confirmedAt ?? '', undoMs)
  return {
    pendingEmail: waiting && waiting.expiresAt > now ? { email: waiting.toEmail, expiresAt: waiting.expiresAt } : null,
    emailFixedUntil: fixedUntil !== null && fixedUntil > now ? fixedUntil : null,
  }
}

/** A change made by an owner doesn't block the member's own. */
export const isOwn = isNull(emailChanges.reportHash)

export const lastDone = (ctx: Context, userId: string): Change | undefined =>
  ctx.db
    .select()
    .from(emailChanges)
    .where(
      and(eq(emailChanges.userId, userId), isOwn, isNotNull(emailChanges.confirmedAt), isNull(emailChanges.undoneAt)),
    )
    .orderBy(desc(emailChanges.confirmedAt))
    .get()

export const refused = (sentence: string) =>
  new AppError('invalid', 'Check the marked fields.', { fields: { email: sentence } })

export const tooMany = 'You’ve asked for too many emails. Try again in an hour.'

/** Counts a change before its transaction, even a refused one. Returns the hits, to take back if nothing was requested. */
export function countEmailChange(ctx: Context, person: Member): number[] {
  if (isConfigured(ctx, person.id)) throw refused('Your address is set on the server. Change it there.')
  const { emailFixedUntil } = emailStateOf(ctx, person.id)
  if (emailFixedUntil !== null) {
    throw refused(`You changed your email recently. You can change it again from ${formatLongDate(emailFixedUntil)}.`)
  }
  if (person.hasPassword) assertProvenAgain(ctx, person)
  return recordHitsInAdvance(ctx, [rateLimits.emailChanges(person.id)], tooMany)
}

/** Call it in the caller's transaction. If the address is taken, its owner gets a mail, but the response doesn't say so. */
export function requestEmailChange(ctx: Context, person: Member, email: string): void {
  const mails = rateLimits.emailChangeMails(email)
  assertWithinLimits(ctx, [mails], tooMany)
  recordHit(ctx, mails)
  spendProof(ctx, person)
  withdrawEmailChange(ctx, person.id)
  const token = newToken()
  const requestedAt = ctx.now().toISOString()
  const id = ctx.newId()
  const expiresAt = after(requestedAt, confirmHours * hourMs)
  insertRow(ctx, emailChanges, {
    id,
    userId: person.id,
    fromEmail: person.email,
    toEmail: email,
    requestedAt,
    confirmHash: hashOf(ctx, 'confirm', token),
    expiresAt,
  })
  audit(ctx, `user:${person.id}`, 'member.email_asked', { targetId: person.id })
  if (isKnownAddress(ctx, email)) queueTakenMail(ctx, { id, to: email })
  else queueConfirmMail(ctx, { id, userId: person.id, to: email, token, hours: confirmHours, lapsesAt: expiresAt })
}
