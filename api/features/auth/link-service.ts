import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { emailChanges, users } from '#api/db/schema/people.ts'
import { passwordResets } from '#api/db/schema/sessions.ts'
import { keyedHash, newToken } from '#api/secrets.ts'

export type LinkPurpose = 'password' | 'join'

/** How many minutes a mailed one-time link is valid. */
export const linkMinutes = 60
/** How many days the link in a welcome is valid: nobody waits for that mail, and it may take three days to arrive. */
export const welcomeLinkDays = 7

const linkHash = (ctx: Context, token: string) => keyedHash(ctx, 'one-time-link', token)

export type OneTimeLink = { token: string; expiresAt: string }

/** Makes a one-time link for an address; only the newest of a purpose counts. `email` need not belong to anybody. */
export function issueLink(ctx: Context, email: string, purpose: LinkPurpose, minutes = linkMinutes): OneTimeLink {
  const token = newToken()
  const hash = linkHash(ctx, token)
  const createdAt = ctx.now().toISOString()
  const expiresAt = new Date(ctx.now().getTime() + minutes * 60_000).toISOString()
  revokeLinks(ctx, email, purpose)
  insertRow(ctx, passwordResets, { id: ctx.newId(), email, purpose, token: hash, expiresAt, createdAt })
  if (purpose === 'password') {
    ctx.db.update(users).set({ resetToken: hash, resetTokenExpiry: expiresAt }).where(eq(users.email, email)).run()
  }
  return { token, expiresAt }
}

/** Makes the unused links of an address invalid: all of them, or those of one purpose. */
export function revokeLinks(ctx: Context, email: string, purpose?: LinkPurpose): void {
  const { email: address, used } = passwordResets
  const ofPurpose = purpose === undefined ? undefined : eq(passwordResets.purpose, purpose)
  ctx.db
    .update(passwordResets)
    .set({ used: true })
    .where(and(eq(address, email), eq(used, false), ofPurpose))
    .run()
}

/** The link to an address that is asked for opens nothing any more. Returns whether it would have. */
export function withdrawEmailChange(ctx: Context, userId: string): boolean {
  const now = ctx.now().toISOString()
  return ctx.db
    .delete(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.confirmedAt)))
    .returning({ expiresAt: emailChanges.expiresAt })
    .all()
    .some(({ expiresAt }) => expiresAt > now)
}

/**
 * In the transaction that a bought membership is written in: the former address takes a change back no more. Who bought it
 * may be somebody whose address a stranger had put on their own account, and what they pay for is not the stranger's.
 */
export function endEmailUndo(ctx: Context, userId: string): void {
  ctx.db.update(emailChanges).set({ undoHash: null }).where(eq(emailChanges.userId, userId)).run()
}

/** Whether the account has got its address by a link, has not given it back, and no membership was bought since; however long ago. */
export function isMovedSinceBought(ctx: Context, userId: string): boolean {
  const { confirmedAt, undoneAt, undoHash } = emailChanges
  const isOpen = and(isNotNull(confirmedAt), isNull(undoneAt), isNotNull(undoHash))
  const found = ctx.db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isOpen))
  return found.get() !== undefined
}

/**
 * Whether an address that the account had says that it was changed behind its back, and no owner has decided yet. Also asked
 * where an address has no account, so that the response takes as long as for one that has.
 */
export function isSignInMailPaused(ctx: Context, userId: string): boolean {
  const isOpen = and(isNotNull(emailChanges.reportedAt), isNull(emailChanges.decidedAt))
  const found = ctx.db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isOpen))
  return found.get() !== undefined
}

/** The account that a link is for; undefined where the link is unknown, used, replaced or expired. */
export function findLink(ctx: Context, token: string, purpose: LinkPurpose) {
  return ctx.db
    .select({ id: passwordResets.id, userId: users.id, email: users.email, isAdmin: users.isAdmin })
    .from(passwordResets)
    .innerJoin(users, eq(users.email, passwordResets.email))
    .where(
      and(
        eq(passwordResets.token, linkHash(ctx, token)),
        eq(passwordResets.purpose, purpose),
        eq(passwordResets.used, false),
        gt(passwordResets.expiresAt, ctx.now().toISOString()),
      ),
    )
    .get()
}

/** Uses a link, which works once. Returns its account, or null where the link is no longer valid. */
export function redeemLink(
  ctx: Context,
  token: string,
  purpose: LinkPurpose,
): { userId: string; email: string; isAdmin: boolean } | null {
  const found = findLink(ctx, token, purpose)
  if (found === undefined) return null
  const { changes } = ctx.db
    .update(passwordResets)
    .set({ used: true })
    .where(and(eq(passwordResets.id, found.id), eq(passwordResets.used, false)))
    .run()
  const { userId, email, isAdmin } = found
  return changes === 1 ? { userId, email, isAdmin } : null
}

export const passwordLinkUrl = ({ settings }: Context, token: string) =>
  `${settings.publicUrl}/reset-password?token=${token}`
export const joinLinkUrl = ({ settings }: Context, token: string) =>
  `${settings.publicUrl}/membership-application?continue=${token}`
