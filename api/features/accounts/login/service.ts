import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import type { Member, Person } from '#api/identity/person.ts'
import { queueIfAccount, queueMessage } from '#api/mail/outbox.ts'
import { passwordSetMail, resetPasswordMail } from '#api/mail/templates/account.ts'
import { rateLimits, recordHitIfAllowed, recordHitsInAdvance, takeBackHits } from '#api/serving/rate-limits.ts'
import type {
  LoginResponse,
  PasswordSet,
  ResetLink,
  ResetPasswordRequest,
  SessionUser,
  SetPasswordRequest,
} from '#shared/contract/auth.ts'
import type { ChangePasswordRequest } from '#shared/contract/profile.ts'
import { auditAuth, auditRequest } from './audit-service.ts'
import { countEmailChange, requestEmailChange } from './email-change-service.ts'
import { type HashCaller, hashWhenDue } from './hash-queue-service.ts'
import {
  findLink,
  isSignInMailPaused,
  issueLink,
  linkMinutes,
  passwordLinkUrl,
  redeemLink,
  revokeLinks,
  withdrawEmailChange,
} from './link-service.ts'
import { type Caller, letBackIn, provePassword } from './login-service.ts'
import { correctAddress, endWhatWasThereBefore, mayCorrectAddress } from './mailbox-service.ts'
import { assertUncommonPassword, hashPassword } from './password-service.ts'
import { findAccount, isKnownAddress } from './queries.ts'
import { assertStillLoggedIn, endAllSessions, forgetDevices } from './session-service.ts'

export function sessionUser(person: Person): SessionUser {
  const { access } = person
  return {
    id: person.id,
    email: person.email,
    firstName: person.firstName,
    lastName: person.lastName,
    phone: person.phone,
    businessName: person.businessName,
    trade: person.trade,
    profileImageUrl: person.profileImageUrl,
    isAdmin: person.isAdmin,
    isMember: access.hasAccess,
    isImpersonating: person.impersonator !== null,
    ...(person.impersonator && {
      impersonatedUntil: person.impersonator.until,
      impersonatedBy: person.impersonator.id,
    }),
    membershipTier: access.tier,
    membershipStartDate: person.membershipStartDate,
    hasPassword: person.hasPassword,
    createdAt: person.createdAt,
  }
}

export const loginResponse = (person: Person): LoginResponse => ({
  user: sessionUser(person),
  startsAt: person.isAdmin && person.lastInAdmin ? '/admin' : '/members',
})

/** Writes the same for an unknown address, so that neither response nor timing reveals it. Skips addresses over the limit. */
export function forgotPassword(ctx: Context, email: string, address: string): void {
  transact(ctx, () => {
    if (!recordHitIfAllowed(ctx, rateLimits.resetMails(email))) return
    const user = findAccount(ctx, email)
    auditRequest(ctx, 'auth.reset_requested', { userId: null, account: user?.id ?? null, address, email })
    const link = issueLink(ctx, email, 'password')
    const message = resetPasswordMail({ url: passwordLinkUrl(ctx, link.token), minutes: linkMinutes })
    const cause = `reset:${ctx.newId()}`
    const userId = isSignInMailPaused(ctx, user?.id ?? '') ? null : (user?.id ?? null)
    queueIfAccount(ctx, { cause, to: email, userId, lapsesAt: link.expiresAt }, message)
  })
}

/** Returns a link that can set a password. Refuses any other without using it up. */
function assertResetLink(ctx: Context, token: string) {
  const link = findLink(ctx, token, 'password')
  if (link === undefined) throw invalidToken()
  return link
}

export function describeResetLink(ctx: Context, token: string): ResetLink {
  const { email, hasPassword } = assertResetLink(ctx, token)
  return { success: true, email, isFirst: !hasPassword }
}

const invalidToken = () => new AppError('invalid_token', 'Invalid or expired reset token.')

/** Ends all logins and forgets all devices except this browser, which can log in straight away. Returns its cookie. */
export async function resetPassword(
  ctx: Context,
  { token, newPassword }: ResetPasswordRequest,
  caller: Caller,
): Promise<string> {
  // Check first: hashing is deliberately slow, and a made-up token must not trigger it.
  const link = assertResetLink(ctx, token)
  await assertUncommonPassword(ctx, newPassword, link.email)
  // The link itself shows that it's someone with access to the account's mailbox.
  const account = findAccount(ctx, link.email)?.id
  const { address } = caller
  const passwordHash = await hashWhenDue(ctx, { address, account }, () => hashPassword(newPassword))
  return transact(ctx, () => {
    const owner = redeemLink(ctx, token, 'password')
    if (owner === null) throw invalidToken()
    const { userId, email, isAdmin } = owner
    endWhatWasThereBefore(ctx, { id: userId, email }, { keepsFactors: isAdmin, cause: 'password' })
    storePassword(ctx, userId, passwordHash)
    auditAuth(ctx, 'auth.reset', { userId, address })
    const message = passwordSetMail({ forgotUrl: `${ctx.settings.publicUrl}/forgot-password` })
    queueMessage(ctx, { cause: `password-set:${ctx.newId()}`, to: email, userId, isRepeatable: true }, message)
    return letBackIn(ctx, owner, caller)
  })
}

/** Ends all other sessions. `email` corrects a mistyped address, by a mailed link if a membership depends on it. */
export async function setFirstPassword(
  ctx: Context,
  person: Member,
  { newPassword, email = person.email }: SetPasswordRequest,
  address: string,
): Promise<PasswordSet> {
  // Checked before hashing, which is deliberately slow, and again once the hash is ready.
  assertHasNone(ctx, person)
  const hits = countPassword(ctx, person)
  assertOwnOrFree(ctx, person, email)
  await assertUncommonPassword(ctx, newPassword, email)
  // Not earlier: a refused password mails nothing.
  if (email !== person.email && !mayCorrectAddress(ctx, person.id)) hits.push(...countEmailChange(ctx, person))
  const passwordHash = await hashCounted(ctx, { address, account: person.id }, { newPassword, hits })
  return transact(ctx, () => {
    assertStillLoggedIn(ctx, person)
    assertHasNone(ctx, person)
    assertOwnOrFree(ctx, person, email)
    const isCorrected = email !== person.email && mayCorrectAddress(ctx, person.id)
    if (isCorrected) correctAddress(ctx, person, email)
    const stored = storePassword(ctx, person.id, passwordHash)
    endAllSessions(ctx, person.id, { exceptSid: person.sid, cause: 'password' })
    auditAuth(ctx, 'auth.password', { userId: person.id, address })
    if (isCorrected || email === person.email) return stored
    requestEmailChange(ctx, person, email)
    return { ...stored, emailToConfirm: email }
  })
}

const countPassword = (ctx: Context, { id }: Member) =>
  recordHitsInAdvance(ctx, [rateLimits.passwordSets(id)], 'Too many attempts. Try again in an hour.')

/** If the hash queue refuses the password, this takes back the attempt and everything counted with it. */
const hashCounted = (
  ctx: Context,
  caller: HashCaller,
  { newPassword, hits }: { newPassword: string; hits: number[] },
) =>
  hashWhenDue(ctx, caller, () => hashPassword(newPassword)).catch((error) => {
    takeBackHits(ctx, hits)
    throw error
  })

/** Requires the current password. Ends every other login of the account and forgets the browsers it knew. */
export async function changePassword(
  ctx: Context,
  person: Member,
  { currentPassword, newPassword }: ChangePasswordRequest,
  caller: Caller,
): Promise<PasswordSet> {
  const hits = countPassword(ctx, person)
  await provePassword(ctx, person, currentPassword, caller).catch((error) => {
    throw error instanceof AppError && error.fields?.password
      ? new AppError(error.code, error.message, { fields: { currentPassword: error.message } })
      : error
  })
  await assertUncommonPassword(ctx, newPassword, person.email)
  const hashCaller = { address: caller.address, account: person.id }
  const passwordHash = await hashCounted(ctx, hashCaller, { newPassword, hits })
  return transact(ctx, () => {
    assertStillLoggedIn(ctx, person)
    const stored = storePassword(ctx, person.id, passwordHash)
    endAllSessions(ctx, person.id, { exceptSid: person.sid, cause: 'password' })
    forgetDevices(ctx, person.id)
    auditAuth(ctx, 'auth.password_changed', { userId: person.id, address: caller.address })
    const message = passwordSetMail({ forgotUrl: `${ctx.settings.publicUrl}/forgot-password` })
    queueMessage(
      ctx,
      { cause: `password-set:${ctx.newId()}`, to: person.email, userId: person.id, isRepeatable: true },
      message,
    )
    return stored
  })
}

function assertHasNone(ctx: Context, person: Member): void {
  const account = ctx.db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, person.id)).get()
  if (account?.passwordHash === null) return
  throw new AppError('conflict', 'You’ve already set a password. Use the reset link to change it.')
}

/** The refusal reveals that the address is taken, so we count each request beforehand. */
function assertOwnOrFree(ctx: Context, person: Member, email: string): void {
  if (email === person.email || !isKnownAddress(ctx, email)) return
  throw new AppError('invalid', 'Check the marked fields.', {
    fields: { email: 'Another account uses this address.' },
  })
}

/** From now on only this password opens the account: revokes all earlier links, including those to another address. */
function storePassword(ctx: Context, userId: string, passwordHash: string): PasswordSet {
  const account = ctx.db
    .update(users)
    .set({
      passwordHash,
      passwordChanged: true,
      resetToken: null,
      resetTokenExpiry: null,
      updatedAt: ctx.now().toISOString(),
    })
    .where(eq(users.id, userId))
    .returning({ email: users.email })
    .get()
  if (account !== undefined) revokeLinks(ctx, account.email)
  return { success: true, isEmailChangeWithdrawn: withdrawEmailChange(ctx, userId) }
}
