import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { emailChanges, users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import { issueLink, withdrawEmailChange } from '#api/features/auth/link-service.ts'
import { endWhatWasThereBefore, moveAddress } from '#api/features/auth/mailbox-service.ts'
import { isKnownAddress } from '#api/features/auth/queries.ts'
import { spendProof } from '#api/features/auth/session-service.ts'
import { findOpenAttempt } from '#api/features/billing/purchases/attempts-service.ts'
import { endUnpaidAttempt } from '#api/features/billing/purchases/subscription-service.ts'
import { isConfigured, listOwners } from '#api/features/owners/queries.ts'
import { revokeCodes } from '#api/features/sign-in/code-service.ts'
import type { Person } from '#api/identity/person.ts'
import { assertProvenAgain } from '#api/identity/proof.ts'
import { keyedHash, newToken } from '#api/secrets.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { assertWithinLimits, rateLimits, recordHit, recordHitsInAdvance } from '#api/serving/rate-limits.ts'
import type { Profile } from '#shared/contract/profile.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { queueConfirmMail, queueTakenMail, queueUndoMail } from './mails.ts'

const hourMs = 60 * 60_000
const confirmHours = 24
/** How long the old address can undo a change, unless a membership is bought first. No second change is possible until then. */
const undoMs = 7 * 24 * hourMs

const hashOf = (ctx: Context, purpose: 'confirm' | 'undo', token: string) => keyedHash(ctx, `email-${purpose}`, token)
const after = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()

type Change = typeof emailChanges.$inferSelect

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
const isOwn = isNull(emailChanges.reportHash)

const lastDone = (ctx: Context, userId: string): Change | undefined =>
  ctx.db
    .select()
    .from(emailChanges)
    .where(
      and(eq(emailChanges.userId, userId), isOwn, isNotNull(emailChanges.confirmedAt), isNull(emailChanges.undoneAt)),
    )
    .orderBy(desc(emailChanges.confirmedAt))
    .get()

const refused = (sentence: string) =>
  new AppError('invalid', 'Check the marked fields.', { fields: { email: sentence } })

const tooMany = 'You’ve asked for too many emails. Try again in an hour.'

/** Counts a change before its transaction, even a refused one. Returns the hits, to take back if nothing was requested. */
export function countEmailChange(ctx: Context, person: Person): number[] {
  if (isConfigured(ctx, person.id)) throw refused('Your address is set on the server. Change it there.')
  const { emailFixedUntil } = emailStateOf(ctx, person.id)
  if (emailFixedUntil !== null) {
    throw refused(`You changed your email recently. You can change it again from ${formatLongDate(emailFixedUntil)}.`)
  }
  if (person.hasPassword) assertProvenAgain(ctx, person)
  return recordHitsInAdvance(ctx, [rateLimits.emailChanges(person.id)], tooMany)
}

/** Call it in the caller's transaction. If the address is taken, its owner gets a mail, but the response doesn't say so. */
export function requestEmailChange(ctx: Context, person: Person, email: string): void {
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

const invalidLink = () =>
  new AppError('invalid_link', 'It’s been used or is too old. Ask for the change again under Profile.')

/** Applies the change after the link to the new address was opened, and tells the old one. */
export function confirmEmailChange(
  ctx: Context,
  token: string,
  here: Person | null,
): { userId: string; email: string } {
  return transact(ctx, () => {
    const change = findChange(ctx, eq(emailChanges.confirmHash, hashOf(ctx, 'confirm', token)))
    if (change === undefined) throw invalidLink()
    const { id, userId, fromEmail, toEmail } = change
    // Opened again, by reloading the page for example.
    if (change.confirmedAt !== null && change.undoneAt === null) return { userId, email: toEmail }
    if (change.confirmedAt !== null || change.expiresAt <= ctx.now().toISOString()) throw invalidLink()
    if (emailOf(ctx, userId) !== fromEmail || isKnownAddress(ctx, toEmail)) throw invalidLink()
    const undo = newToken()
    const confirmedAt = ctx.now().toISOString()
    ctx.db
      .update(emailChanges)
      .set({ confirmedAt, undoHash: hashOf(ctx, 'undo', undo) })
      .where(eq(emailChanges.id, id))
      .run()
    moveAddress(ctx, userId, { from: fromEmail, to: toEmail, here })
    audit(ctx, `user:${userId}`, 'member.email_changed', { targetId: userId })
    queueUndoMail(ctx, { id, userId, to: fromEmail, token: undo, at: confirmedAt, until: after(confirmedAt, undoMs) })
    return { userId, email: toEmail }
  })
}

/** Ends all logins and removes the password, since a stranger may know it. Returns a token for setting a new one. */
export function undoEmailChange(
  ctx: Context,
  token: string,
): Promise<{ userId: string; email: string; resetToken: string }> {
  const { userId } = findUndoable(ctx, token)
  return withKeyLock(ctx, userId, async () => {
    // Someone who took over the account could start a purchase every day and so keep it.
    await endUnpaidAttempt(ctx, userId)
    return transact(ctx, () => takeBack(ctx, findUndoable(ctx, token)))
  })
}

function findUndoable(ctx: Context, token: string): Change {
  const change = findChange(ctx, eq(emailChanges.undoHash, hashOf(ctx, 'undo', token)))
  const isOpen = change?.confirmedAt && change.undoneAt === null
  if (!isOpen || after(change.confirmedAt ?? '', undoMs) <= ctx.now().toISOString()) throw invalidUndo()
  if (emailOf(ctx, change.userId) !== change.toEmail || isKnownAddress(ctx, change.fromEmail)) throw invalidUndo()
  return change
}

function takeBack(ctx: Context, { id, userId, fromEmail, toEmail }: Change) {
  // A purchase under way belongs to its buyer: a stranger may have put the buyer's address on this account.
  if (findOpenAttempt(ctx, userId) !== null) throw beingBought()
  moveAddress(ctx, userId, { from: toEmail, to: fromEmail })
  ctx.db
    .update(emailChanges)
    .set({ undoneAt: ctx.now().toISOString(), providerToldAt: null })
    .where(eq(emailChanges.id, id))
    .run()
  const keepsFactors = listOwners(ctx).some(({ id: ownerId }) => ownerId === userId)
  endWhatWasThereBefore(ctx, { id: userId, email: fromEmail }, { cause: 'address', keepsTyped: true, keepsFactors })
  for (const email of [fromEmail, toEmail]) revokeCodes(ctx, email)
  audit(ctx, `user:${userId}`, 'member.email_restored', { targetId: userId })
  return { userId, email: fromEmail, resetToken: issueLink(ctx, fromEmail, 'password').token }
}

const beingBought = () =>
  new AppError('conflict', 'Someone’s paying for a membership with this account. Try again tomorrow, or contact us.')

const invalidUndo = () =>
  new AppError(
    'invalid_link',
    'It’s been used, is too old, or someone has bought a membership with the account since. Contact us.',
  )

const findChange = (ctx: Context, where: ReturnType<typeof eq>): Change | undefined =>
  ctx.db.select().from(emailChanges).where(where).get()

/** Undefined for an owner the settings name, whose address no link may change: who asked for it wasn't an owner then. */
const emailOf = (ctx: Context, id: string) =>
  isConfigured(ctx, id)
    ? undefined
    : ctx.db.select({ email: users.email }).from(users).where(eq(users.id, id)).get()?.email
