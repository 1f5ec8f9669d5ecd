import type { Context } from '#api/context.ts'
import { keyedHash, newToken } from '#api/secrets.ts'

export type LinkPurpose = 'password' | 'join'

/** Minutes that a mailed one-time link works. */
export const linkMinutes = 60
/** Days that the link of a welcome works: nobody waits for that mail, and it may be three days on its way. */
export const welcomeLinkDays = 7

const linkHash = (ctx: Context, token: string) => keyedHash(ctx, 'one-time-link', token)

export type OneTimeLink = { token: string; expiresAt: string }

/** Makes a one-time link for an address; only the newest of a purpose counts. `email` need not belong to anybody. */
export function issueLink(ctx: Context, email: string, purpose: LinkPurpose, minutes = linkMinutes): OneTimeLink {
  const token = newToken()
  const hash = linkHash(ctx, token)
  const createdAt = ctx.now().toISOString()
  const expiresAt = new Date(ctx.now().getTime() + minutes * 60_000).toISOString()
  ctx.sqlite
    .prepare('update password_resets set used = 1 where email = ? and purpose = ? and used = 0')
    .run(email, purpose)
  ctx.sqlite
    .prepare(
      'insert into password_resets (id, email, purpose, token, expiresAt, used, createdAt) values (?, ?, ?, ?, ?, 0, ?)',
    )
    .run(ctx.newId(), email, purpose, hash, expiresAt, createdAt)
  if (purpose === 'password') {
    ctx.sqlite
      .prepare('update users set resetToken = ?, resetTokenExpiry = ? where email = ?')
      .run(hash, expiresAt, email)
  }
  return { token, expiresAt }
}

type Found = { id: string; userId: string; email: string }

/** Whose link it is; undefined where it is unknown, used, replaced or too old. */
export function findLink(ctx: Context, token: string, purpose: LinkPurpose): Found | undefined {
  return ctx.sqlite
    .prepare<[string, string, string], Found>(
      `select password_resets.id, users.id as userId, users.email from password_resets
       join users on users.email = password_resets.email
       where token = ? and purpose = ? and used = 0 and expiresAt > ?`,
    )
    .get(linkHash(ctx, token), purpose, ctx.now().toISOString())
}

/** Uses a link up and returns whose it was; null where it cannot be used any more. */
export function redeemLink(
  ctx: Context,
  token: string,
  purpose: LinkPurpose,
): { userId: string; email: string } | null {
  const found = findLink(ctx, token, purpose)
  if (found === undefined) return null
  const taken = ctx.sqlite.prepare('update password_resets set used = 1 where id = ? and used = 0').run(found.id)
  return taken.changes === 1 ? { userId: found.userId, email: found.email } : null
}

export const passwordLinkUrl = ({ settings }: Context, token: string) =>
  `${settings.publicUrl}/reset-password?token=${token}`
export const joinLinkUrl = ({ settings }: Context, token: string) =>
  `${settings.publicUrl}/membership-application?continue=${token}`
