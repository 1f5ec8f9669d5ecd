import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError } from '#api/errors.ts'
import { countHit, secondsUntilOpen } from '#api/http/limits.ts'
import type { Person } from '#api/http/session.ts'
import { queueMessage } from '#api/mail/messages.ts'
import { passwordSetMail } from '#api/mail/templates/password-set.ts'
import { resetPasswordMail } from '#api/mail/templates/reset-password.ts'
import type { ResetPasswordRequest, SessionUser, SetPasswordRequest } from '#shared/contract/auth.ts'
import { isKnownAddress } from './addresses.ts'
import { findLink, issueLink, linkMinutes, passwordLinkUrl, redeemLink } from './links.ts'
import { hashPassword, refuseCommonPassword } from './passwords.ts'
import { endAllSessions } from './sessions.ts'

/** What a browser may know of the person logged in. */
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
    isImpersonating: false,
    membershipTier: access.tier,
    membershipStartDate: person.membershipStartDate,
    hasPassword: person.hasPassword,
    createdAt: person.createdAt,
  }
}

const hour = 60 * 60_000

/**
 * Mails a link to set a new password. The same is written for an address that nobody has, in one transaction of its own,
 * so that neither answer nor time tells whether it is known. More than 5 an hour for an address send nothing more.
 */
export function forgotPassword(ctx: Context, email: string): void {
  const limit = { name: 'forgot-email', key: email, max: 5, windowMs: hour }
  transact(ctx, () => {
    if (secondsUntilOpen(ctx, limit) !== null) return
    countHit(ctx, limit)
    const link = issueLink(ctx, email, 'password')
    const user = ctx.sqlite.prepare<[string], { id: string }>('select id from users where email = ?').get(email)
    const message = resetPasswordMail({ url: passwordLinkUrl(ctx, link.token), minutes: linkMinutes })
    const cause = `reset:${ctx.newId()}`
    queueMessage(ctx, { cause, to: email, userId: user?.id ?? null }, message)
    // Written, and taken back before anybody could see it: an address that nobody has must take as long.
    if (user === undefined) ctx.sqlite.prepare('delete from mail_outbox where cause = ?').run(cause)
  })
}

/** Sets a new password by a mailed link, and ends every login of the account. */
export async function resetPassword(ctx: Context, { token, newPassword }: ResetPasswordRequest): Promise<void> {
  const invalid = new AppError('invalid_token', 'Invalid or expired reset token.')
  // Before any work: hashing is dear on purpose, and nobody gets it for a made-up token.
  if (findLink(ctx, token, 'password') === undefined) throw invalid
  await refuseCommonPassword(newPassword)
  const passwordHash = await hashPassword(newPassword)
  transact(ctx, () => {
    const owner = redeemLink(ctx, token, 'password')
    if (owner === null) throw invalid
    storePassword(ctx, owner.userId, passwordHash)
    endAllSessions(ctx, owner.userId)
    const message = passwordSetMail({ forgotUrl: `${ctx.settings.publicUrl}/forgot-password` })
    queueMessage(ctx, { cause: `password-set:${ctx.newId()}`, to: owner.email, userId: owner.userId }, message)
  })
}

/** A first password, set where he stands; ends all other logins. `email` puts a mistyped address right. */
export async function setFirstPassword(
  ctx: Context,
  person: Person,
  { newPassword, email }: SetPasswordRequest,
): Promise<void> {
  await refuseCommonPassword(newPassword)
  const passwordHash = await hashPassword(newPassword)
  transact(ctx, () => {
    const now = ctx.now().toISOString()
    const row = ctx.sqlite
      .prepare<[string], { passwordHash: string | null }>('select passwordHash from users where id = ?')
      .get(person.id)
    if (row?.passwordHash !== null) {
      throw new AppError('conflict', 'Your password is set already. Use the reset link to change it.')
    }
    if (email !== undefined && email !== person.email) {
      if (isKnownAddress(ctx, email)) {
        throw new AppError('invalid', 'Please check the marked fields.', {
          fields: { email: 'This address belongs to another account.' },
        })
      }
      ctx.sqlite.prepare('update users set email = ?, updatedAt = ? where id = ?').run(email, now, person.id)
    }
    storePassword(ctx, person.id, passwordHash)
    endAllSessions(ctx, person.id, person.sid)
  })
}

/** From now on only this password opens the account: links that are still on their way are void. */
function storePassword(ctx: Context, userId: string, passwordHash: string): void {
  ctx.sqlite
    .prepare('update password_resets set used = 1 where used = 0 and email = (select email from users where id = ?)')
    .run(userId)
  ctx.sqlite
    .prepare(
      `update users set passwordHash = ?, passwordChanged = 1, resetToken = null, resetTokenExpiry = null, updatedAt = ?
       where id = ?`,
    )
    .run(passwordHash, ctx.now().toISOString(), userId)
}
