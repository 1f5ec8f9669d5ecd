import { eq, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { addresses, mailAgreements, memberPhotos, users } from '#api/db/schema/people.ts'
import type { EndingCause } from '#api/db/schema/sessions.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import { hasBeenMember } from '#api/features/billing/queries.ts'
import { removeAllFactors } from '#api/features/sign-in/queries.ts'
import { forgetHits, rateLimits } from '#api/http/rate-limits.ts'
import type { Person } from '#api/http/session.ts'
import { isMovedSinceBought, revokeLinks, withdrawEmailChange } from './link-service.ts'
import { endAllSessions, forgetDevices } from './session-service.ts'

type Account = { id: string; email: string }

type Before = {
  /** An owner's passkeys and app are the second factor: a mailbox alone takes them from nobody. */
  keepsFactors?: boolean
  /** Who had the account before it was moved has typed it. */
  keepsTyped?: boolean
  /** What the devices are told that were logged in; without one, that somebody has come by the account's mailbox. */
  cause?: EndingCause
}
type Ending = Pick<Before, 'keepsFactors'> & { cause: EndingCause }

/**
 * In the caller's transaction. An account may have been made by a stranger with somebody else's address: once that person
 * comes to it by their mailbox, nothing that was there before opens it, or takes it to another address.
 */
export function endWhatWasThereBefore(ctx: Context, { id, email }: Account, before: Before = {}): void {
  if (!before.keepsTyped) forgetWhatWasTyped(ctx, id)
  endWaysIn(ctx, id, { cause: 'mailbox', ...before })
  revokeLinks(ctx, email)
  // However often a stranger has logged in, right or wrong: the login that follows is the first of the account's person.
  forgetHits(ctx, [rateLimits.logins(id), rateLimits.loginToAccount(email)])
  ctx.db
    .update(users)
    .set({ resetToken: null, resetTokenExpiry: null, passwordChanged: false, emailProvenAt: firstProof(ctx) })
    .where(eq(users.id, id))
    .run()
}

/**
 * What harms its person where a stranger has typed it: their photo, mails that they never agreed to, the number that we would
 * ring and the address on their invoices. Only of an account that has no access and never paid, and whose address was never
 * proven. Number and address stay where nobody has taken the account with a password: what an owner typed, and what a person
 * has begun to join with, is there still where they carry on.
 */
function forgetWhatWasTyped(ctx: Context, id: string): void {
  const account = accountById(ctx, id)
  if (account === undefined || account.emailProvenAt !== null) return
  if (account.isAdmin || hasBeenMember(ctx, id) || accessOfUser(ctx, id).hasAccess) return
  const isTaken = account.passwordHash !== null
  for (const table of [mailAgreements, memberPhotos, ...(isTaken ? [addresses] : [])]) {
    ctx.db.delete(table).where(eq(table.userId, id)).run()
  }
  const phone = isTaken ? null : account.phone
  if (phone === account.phone && account.profileImageUrl === null) return
  ctx.db
    .update(users)
    .set({ phone, profileImageUrl: null, version: sql`${users.version} + 1` })
    .where(eq(users.id, id))
    .run()
}

/** All but the links in the account's own mailbox. */
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
 * In the caller's transaction, before a membership comes to an account without a login of it: by a signed link, or by an
 * owner's hand. Who pays so may never have seen the account, and a stranger who made it must not have what they pay for. Its
 * mailbox is not proven by it, and its person is told of the password at the first code. Nothing ends where `here` is a login
 * of the account, or where it was ever a member's, nor of an owner, who lets nobody in by a mailbox alone.
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
 * In the caller's transaction: somebody signs in who has the account's mailbox. The first who does takes the account from
 * a stranger who may have made it. Nothing ends where `here`, the login that their browser has, is the account's own, since then
 * they have made it, nor where it was ever a member's: who has paid while logged in is its person. Returns whether it had a
 * password, which is gone.
 */
export function proveMailbox(
  ctx: Context,
  { id, email }: Account,
  here: Person | null,
): { isPasswordRemoved: boolean } {
  const account = accountById(ctx, id)
  if (account === undefined || account.emailProvenAt !== null) return { isPasswordRemoved: false }
  const hasPassword = account.passwordHash !== null
  // One that ended before a membership came: nobody was there to be told.
  const wasRemoved = !hasPassword && account.passwordChanged
  if (!isOwnLogin(id, here) && !hasPaidHere(ctx, id)) {
    endWhatWasThereBefore(ctx, { id, email })
    return { isPasswordRemoved: hasPassword || wasRemoved }
  }
  ctx.db
    .update(users)
    .set({ emailProvenAt: firstProof(ctx), passwordChanged: hasPassword })
    .where(eq(users.id, id))
    .run()
  return { isPasswordRemoved: wasRemoved }
}

/**
 * Whether a membership was bought at the address that the account has, by who was logged in: a past that it has brought from
 * another address is its maker's, not that of who has the mailbox now. While it is paid for, nobody else can buy one.
 */
function hasPaidHere(ctx: Context, id: string): boolean {
  if (!hasBeenMember(ctx, id)) return false
  return accessOfUser(ctx, id).subscriptionGivesAccess || !isMovedSinceBought(ctx, id)
}

/** Whether this browser is logged in to the account; an owner who views the site as its member is not. */
const isOwnLogin = (id: string, here: Person | null): boolean =>
  here !== null && here.id === id && here.sid !== null && here.impersonator === null

/**
 * Whether the address may be put right by who is logged in, without a link to the new one: only while nothing hangs on it.
 * An account with a membership, its past or access that the owners gave would bring them to somebody else's address, and be
 * taken there for that person's own.
 */
export const mayCorrectAddress = (ctx: Context, id: string): boolean =>
  !hasBeenMember(ctx, id) && !accessOfUser(ctx, id).hasAccess

/** In the caller's transaction: who `mayCorrectAddress`, and has no password, puts right what they have mistyped. */
export function correctAddress(ctx: Context, { id, email: from }: Account, to: string): void {
  moveAddress(ctx, id, { from, to })
  audit(ctx, `user:${id}`, 'member.profile_changed', { targetId: id, detail: { fields: ['email'] } })
}

type Move = { from: string; to: string; here?: Person | null }

/**
 * In the caller's transaction: the account has another address. Links that were mailed to the former one, and a change that
 * waits, open nothing any more. The new mailbox is anybody's until it is proven: by the link in it, opened `here` in a browser
 * that is logged in to the account; elsewhere it may be a stranger's account that the link was opened for.
 */
export function moveAddress(ctx: Context, id: string, { from, to, here = null }: Move): void {
  const [version, emailProvenAt] = [sql`${users.version} + 1`, isOwnLogin(id, here) ? nowOf(ctx) : null]
  ctx.db
    .update(users)
    .set({ email: to, version, emailProvenAt, updatedAt: nowOf(ctx) })
    .where(eq(users.id, id))
    .run()
  revokeLinks(ctx, from)
  withdrawEmailChange(ctx, id)
}
