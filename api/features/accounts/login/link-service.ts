import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { emailChanges, users } from '#api/db/schema/people.ts'
import { passwordResets } from '#api/db/schema/sessions.ts'
import { keyedHash, newToken } from '#api/secrets.ts'

export type LinkPurpose = 'password' | 'join'

export const linkMinutes = 60

const linkHash = (ctx: Context, token: string) => keyedHash(ctx, 'one-time-link', token)

export type OneTimeLink = { token: string; expiresAt: string }

/** Creates a one-time link for an address. Only the newest per purpose is valid. `email` need not belong to an account. */
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

/** Revokes an address's unused links: all of them, or those for one purpose. */
export function revokeLinks(ctx: Context, email: string, purpose?: LinkPurpose): void {
  const { email: address, used } = passwordResets
  const ofPurpose = purpose === undefined ? undefined : eq(passwordResets.purpose, purpose)
  ctx.db
    .update(passwordResets)
    .set({ used: true })
    .where(and(eq(address, email), eq(used, false), ofPurpose))
    .run()
}

/** Revokes an address's unused links, except a welcome's, which we know by its long life. */
export function revokeAllButWelcome(ctx: Context, email: string): void {
  const { email: address, used, createdAt, expiresAt } = passwordResets
  const isShort = sql`unixepoch(${expiresAt}) - unixepoch(${createdAt}) <= ${linkMinutes * 60}`
  ctx.db
    .update(passwordResets)
    .set({ used: true })
    .where(and(eq(address, email), eq(used, false), isShort))
    .run()
}

/** Revokes the link to a requested new address. Returns whether it was still valid. */
export function withdrawEmailChange(ctx: Context, userId: string): boolean {
  const now = ctx.now().toISOString()
  return ctx.db
    .delete(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isNull(emailChanges.confirmedAt)))
    .returning({ expiresAt: emailChanges.expiresAt })
    .all()
    .some(({ expiresAt }) => expiresAt > now)
}

/** Call it in the transaction that writes a bought membership: a stranger with the former address must not get what's paid for. */
export function endEmailUndo(ctx: Context, userId: string): void {
  ctx.db.update(emailChanges).set({ undoHash: null }).where(eq(emailChanges.userId, userId)).run()
}

/** Whether the account got its address by a link, however long ago, hasn't undone that, and has bought no membership since. */
export function isMovedSinceBought(ctx: Context, userId: string): boolean {
  const { confirmedAt, undoneAt, undoHash } = emailChanges
  const isOpen = and(isNotNull(confirmedAt), isNull(undoneAt), isNotNull(undoHash))
  const found = ctx.db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isOpen))
  return found.get() !== undefined
}

/** No owner has decided a report yet. Also runs for addresses without an account, so that the response takes as long. */
export function isSignInMailPaused(ctx: Context, userId: string): boolean {
  const isOpen = and(isNotNull(emailChanges.reportedAt), isNull(emailChanges.decidedAt))
  const found = ctx.db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isOpen))
  return found.get() !== undefined
}

/** The account a link is for; undefined if the link is unknown, used, replaced or expired. */
export function findLink(ctx: Context, token: string, purpose: LinkPurpose) {
  return ctx.db
    .select({
      id: passwordResets.id,
      userId: users.id,
      email: users.email,
      isAdmin: users.isAdmin,
      hasPassword: isNotNull(users.passwordHash).mapWith(Boolean),
    })
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

/** Uses a link, which works once. Returns its account, or null if the link is no longer valid. */
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
