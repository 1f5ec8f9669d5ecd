import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { emailChanges, users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import { after, type Change, hashOf, undoMs } from '#api/features/accounts/login/email-change-service.ts'
import { issueLink } from '#api/features/accounts/login/link-service.ts'
import { endWhatWasThereBefore, moveAddress } from '#api/features/accounts/login/mailbox-service.ts'
import { queueUndoMail } from '#api/features/accounts/login/mails.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import { isConfigured, listOwners } from '#api/features/accounts/owner-queries.ts'
import { revokeCodes } from '#api/features/accounts/sign-in/code-service.ts'
import { endUnpaidAttempt } from '#api/features/billing/purchases/subscription-service.ts'
import { findOpenAttempt } from '#api/features/subscriptions/purchase-attempts-service.ts'
import type { Person } from '#api/identity/person.ts'
import { leaveMailbox } from '#api/mail/retry.ts'
import { newToken } from '#api/secrets.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'

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
  leaveMailbox(ctx, { userId, from: toEmail, to: fromEmail, isAccountsOnly: true })
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
