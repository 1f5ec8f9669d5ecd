import { and, eq, isNull, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { addresses, emailChanges, mailAgreements, memberPhotos, ownerAddresses, users } from '#api/db/schema/people.ts'
import type { EndingCause } from '#api/db/schema/sessions.ts'
import { hasBeenMember } from '#api/features/subscriptions/queries.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import type { Person } from '#api/identity/person.ts'
import { leaveMailbox } from '#api/mail/retry.ts'
import { forgetHits, rateLimits } from '#api/serving/rate-limits.ts'
import { removeAllFactors } from './factor-queries.ts'
import { isMovedSinceBought, revokeAllButWelcome, revokeLinks, withdrawEmailChange } from './link-service.ts'
import { endAllSessions, forgetDevices } from './session-service.ts'

type Account = { id: string; email: string }

type Before = {
  /** An owner's passkeys and authenticator app stay: someone with only the mailbox must not be able to remove them. */
  keepsFactors?: boolean
  /** Set if the account's previous holder typed it, before the move. */
  keepsTyped?: boolean
  /** A welcome's link still sets the account's first password. */
  keepsWelcome?: boolean
  /** What to tell the devices that were logged in. By default, that someone used the account's mailbox. */
  cause?: EndingCause
}
type Ending = Pick<Before, 'keepsFactors'> & { cause: EndingCause }

/** A stranger may have made the account. Once the mailbox's owner comes in, no earlier credential may open or move it. */
export function endWhatWasThereBefore(ctx: Context, { id, email }: Account, before: Before = {}): void {
  if (!before.keepsTyped) forgetWhatWasTyped(ctx, id)
  endWaysIn(ctx, id, { cause: 'mailbox', ...before })
  if (before.keepsWelcome) revokeAllButWelcome(ctx, email)
  else revokeLinks(ctx, email)
  // However often a stranger logged in or failed to, the next login counts as the real person's first.
  forgetHits(ctx, [rateLimits.logins(id), rateLimits.loginToAccount(email)])
  ctx.db
    .update(users)
    .set({ resetToken: null, resetTokenExpiry: null, passwordChanged: false, emailProvenAt: firstProof(ctx) })
    .where(eq(users.id, id))
    .run()
}

/**
 * Removes what could harm the real person if a stranger typed it. Only if the account has no access, never paid and its address was
 * never proven. Keeps number and address if no one ever set a password: an owner or the person typed them.
 */
function forgetWhatWasTyped(ctx: Context, id: string): void {
  const account = accountById(ctx, id)
  if (account === undefined || account.emailProvenAt !== null) return
  if (account.isAdmin || hasBeenMember(ctx, id) || accessOfUser(ctx, id).hasAccess) return
  const isTaken = account.passwordHash !== null
  for (const table of [memberPhotos, ...(isTaken ? [addresses] : [])]) {
    ctx.db.delete(table).where(eq(table.userId, id)).run()
  }
  // What they agreed to where we were moved in from, no stranger said here.
  ctx.db
    .delete(mailAgreements)
    .where(and(eq(mailAgreements.userId, id), isNull(mailAgreements.source)))
    .run()
  const phone = isTaken ? null : account.phone
  if (phone === account.phone && account.profileImageUrl === null) return
  ctx.db
    .update(users)
    .set({ phone, profileImageUrl: null, version: sql`${users.version} + 1` })
    .where(eq(users.id, id))
    .run()
}

/** Ends every way in except the links in the account's own mailbox. */
function endWaysIn(ctx: Context, id: string, { keepsFactors, cause }: Ending): number {
  const ended = endAllSessions(ctx, id, { cause })
  forgetDevices(ctx, id)
  if (!keepsFactors) removeAllFactors(ctx, id)
  withdrawEmailChange(ctx, id)
  const passwordChanged = sql`${users.passwordChanged} or ${users.passwordHash} is not null`
  ctx.db
    .update(users)
    .set({ passwordHash: null, passwordChanged, updatedAt: nowOf(ctx) })
    .where(eq(users.id, id))
    .run()
  return ended
}

const nowOf = (ctx: Context) => ctx.now().toISOString()
const firstProof = (ctx: Context) => sql`coalesce(${users.emailProvenAt}, ${nowOf(ctx)})`

const accountById = (ctx: Context, id: string) => ctx.db.select().from(users).where(eq(users.id, id)).get()

/**
 * Call it before a membership is added without a login, by a signed link or by an owner, in the same transaction. The payer may
 * never have seen the account, and a stranger who made it must not get what they pay for. This doesn't prove the mailbox; we tell
 * the person about the removed password at their first code. Ends nothing if `here` is the account's login, if it was ever a
 * member's, or for an owner, who never gets in by mailbox only.
 */
export function endWaysInBeforeMembership(ctx: Context, id: string, here: Person | null): void {
  const account = accountById(ctx, id)
  if (account === undefined || account.emailProvenAt !== null || account.isAdmin) return
  if (isOwnLogin(id, here) || hasPaidHere(ctx, id)) return
  forgetWhatWasTyped(ctx, id)
  const revoked = endWaysIn(ctx, id, { cause: 'membership' })
  if (revoked > 0) audit(ctx, 'system', 'session.revoked', { targetId: id, detail: { revoked } })
}

/**
 * Call it in the transaction in which someone logs in by the account's mailbox. The first to do so takes the account over from a
 * stranger who may have made it. Ends nothing if `here` is the account's own login, or if it was ever a member's, since its person
 * paid while logged in. Returns whether it removed a password.
 */
export function proveMailbox(
  ctx: Context,
  { id, email }: Account,
  here: Person | null,
): { isPasswordRemoved: boolean } {
  const account = accountById(ctx, id)
  if (account === undefined || account.emailProvenAt !== null) return { isPasswordRemoved: false }
  const hasPassword = account.passwordHash !== null
  // Removed before a membership was added, when we could tell no one.
  const wasRemoved = !hasPassword && account.passwordChanged
  if (!isOwnLogin(id, here) && !hasPaidHere(ctx, id)) {
    // It went to the same mailbox, and someone who logged in with a code may open it later. Setting a password ends it.
    endWhatWasThereBefore(ctx, { id, email }, { keepsWelcome: !hasPassword && !wasRemoved && !account.isAdmin })
    return { isPasswordRemoved: hasPassword || wasRemoved }
  }
  ctx.db
    .update(users)
    .set({ emailProvenAt: firstProof(ctx), passwordChanged: hasPassword })
    .where(eq(users.id, id))
    .run()
  return { isPasswordRemoved: wasRemoved }
}

/** A past brought along from another address belongs to the account's maker, not to the person with this mailbox. */
function hasPaidHere(ctx: Context, id: string): boolean {
  if (!hasBeenMember(ctx, id)) return false
  return accessOfUser(ctx, id).subscriptionGivesAccess || !isMovedSinceBought(ctx, id)
}

/** Whether this browser is logged in to the account. False for an owner who views the site as this member. */
const isOwnLogin = (id: string, here: Person | null): boolean =>
  here !== null && here.id === id && here.sid !== null && here.impersonator === null

/** Only while nothing depends on it: otherwise a membership or free access would move to another person's address. */
export const mayCorrectAddress = (ctx: Context, id: string): boolean =>
  !hasBeenMember(ctx, id) && !accessOfUser(ctx, id).hasAccess

/** Corrects a mistyped address if `mayCorrectAddress` and there's no password. Call it in the caller's transaction. */
export function correctAddress(ctx: Context, { id, email: from }: Account, to: string): void {
  moveAddress(ctx, id, { from, to })
  leaveMailbox(ctx, { userId: id, from, to, isAccountsOnly: true })
  noteMove(ctx, id, { from, to })
  audit(ctx, `user:${id}`, 'member.profile_changed', { targetId: id, detail: { fields: ['email'] } })
}

/** A move that tells no one and asks no one. Stripe gets the new address with the next sync. */
export function noteMove(ctx: Context, userId: string, { from, to }: Pick<Move, 'from' | 'to'>): void {
  const [id, at] = [ctx.newId(), nowOf(ctx)]
  insertRow(ctx, emailChanges, {
    id,
    userId,
    fromEmail: from,
    toEmail: to,
    requestedAt: at,
    confirmedAt: at,
    expiresAt: at,
    confirmHash: `none:${id}`,
  })
}

type Move = { from: string; to: string; here?: Person | null }

/**
 * Moves the account to another address, in the caller's transaction. Revokes links mailed to the former one and any pending change.
 * The new mailbox is unproven until its link is opened `here`, in a browser logged in to the account. Opened elsewhere, the link
 * may have come from a stranger's account.
 */
export function moveAddress(ctx: Context, id: string, { from, to, here = null }: Move): void {
  const [version, emailProvenAt] = [sql`${users.version} + 1`, isOwnLogin(id, here) ? nowOf(ctx) : null]
  ctx.db
    .update(users)
    .set({ email: to, version, emailProvenAt, updatedAt: nowOf(ctx) })
    .where(eq(users.id, id))
    .run()
  const asOwner = eq(ownerAddresses.role, 'owner')
  ctx.db
    .delete(ownerAddresses)
    .where(and(asOwner, eq(ownerAddresses.email, to), isNull(ownerAddresses.userId)))
    .run()
  // An invited owner's address is theirs to change, and then free for another.
  ctx.db
    .update(ownerAddresses)
    .set({ email: to })
    .where(and(asOwner, eq(ownerAddresses.userId, id)))
    .run()
  revokeLinks(ctx, from)
  withdrawEmailChange(ctx, id)
}
