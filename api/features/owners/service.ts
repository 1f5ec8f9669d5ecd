import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { notFound } from '#api/errors.ts'
import { issueLink, linkMinutes, passwordLinkUrl } from '#api/features/auth/links.ts'
import { endAllSessions } from '#api/features/auth/sessions.ts'
import type { Owner } from '#api/http/session.ts'
import { queueMessage } from '#api/mail/messages.ts'
import { ownerLinkMail } from '#api/mail/templates/owner-link.ts'
import type { OwnerLink } from '#shared/contract/auth.ts'

type Role = 'owner' | 'simple_admin'

/**
 * Makes the owners' accounts, before the server listens. An address is recorded with the account made for it and never made
 * a second time. An account that existed before its address was listed is promoted only after its password, logins and
 * tokens are gone: whoever had it before does not become an owner by it.
 */
export function ensureOwners(ctx: Context): void {
  const wanted: [Role, string][] = ctx.settings.ownerEmails.map((email) => ['owner', email])
  if (ctx.settings.simpleAdminEmail) wanted.push(['simple_admin', ctx.settings.simpleAdminEmail])
  for (const [role, email] of wanted) transact(ctx, () => ensureOwner(ctx, role, email))
}

function ensureOwner(ctx: Context, role: Role, email: string): void {
  const isRecorded = ctx.sqlite.prepare('select 1 from owner_addresses where role = ? and email = ?').get(role, email)
  if (isRecorded !== undefined) return
  const recorded = ctx.sqlite
    .prepare<[string], { userId: string | null }>('select userId from owner_addresses where email = ?')
    .get(email)
  const userId = recorded ? recorded.userId : makeOwner(ctx, email)
  ctx.sqlite
    .prepare('insert into owner_addresses (role, email, userId, recordedAt) values (?, ?, ?, ?)')
    .run(role, email, userId, ctx.now().toISOString())
}

function makeOwner(ctx: Context, email: string): string {
  const now = ctx.now().toISOString()
  const existing = ctx.sqlite.prepare<[string], { id: string }>('select id from users where email = ?').get(email)
  const userId = existing?.id ?? ctx.newId()
  if (existing === undefined) {
    ctx.sqlite
      .prepare('insert into users (id, email, isAdmin, createdAt, updatedAt) values (?, ?, 1, ?, ?)')
      .run(userId, email, now, now)
  } else {
    endAllSessions(ctx, userId)
    ctx.sqlite.prepare('update password_resets set used = 1 where email = ?').run(email)
    ctx.sqlite.prepare('update users set isAdmin = 1, passwordHash = null, updatedAt = ? where id = ?').run(now, userId)
  }
  audit(ctx, 'system', 'owner.made', { targetId: userId })
  mailOwnerLink(ctx, userId, email)
  return userId
}

function mailOwnerLink(ctx: Context, userId: string, email: string): OwnerLink {
  const link = issueLink(ctx, email, 'password')
  const url = passwordLinkUrl(ctx, link.token)
  const message = ownerLinkMail({ url, hours: linkMinutes / 60 })
  queueMessage(ctx, { cause: `owner-link:${userId}:${link.expiresAt}`, to: email, userId }, message)
  return { email, url, expiresAt: link.expiresAt }
}

/** A fresh link for an owner who cannot get in; shown to whoever asked, who is an owner or sits at this machine. */
export function ownerLink(ctx: Context, owner: Owner, email: string): OwnerLink {
  return transact(ctx, () => {
    const user = ctx.sqlite
      .prepare<[string], { id: string }>('select id from users where email = ? and isAdmin = 1')
      .get(email)
    if (user === undefined) throw notFound('An owner with this address')
    audit(ctx, owner.actor, 'owner.link', { targetId: user.id })
    const { token, expiresAt } = issueLink(ctx, email, 'password')
    return { email, url: passwordLinkUrl(ctx, token), expiresAt }
  })
}
