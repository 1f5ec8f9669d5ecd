import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { notFound } from '#api/errors.ts'
import { issueLink, linkMinutes, passwordLinkUrl } from '#api/features/accounts/login/link-service.ts'
import { endWhatWasThereBefore } from '#api/features/accounts/login/mailbox-service.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { listOwners } from '#api/features/accounts/owner-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { ownerLinkMadeMail, ownerLinkMail } from '#api/mail/templates/account.ts'
import type { OwnerLink, OwnerLinkRequest } from '#shared/contract/auth.ts'

type Role = 'owner' | 'simple_admin'

/**
 * Records each address with its account, and never creates one for it again. An older account is promoted only after its password,
 * logins and tokens are removed, so that its earlier user gains nothing.
 */
export function ensureOwners(ctx: Context): void {
  const wanted: [Role, string][] = ctx.settings.ownerEmails.map((email) => ['owner', email])
  if (ctx.settings.simpleAdminEmail) wanted.push(['simple_admin', ctx.settings.simpleAdminEmail])
  for (const [role, email] of wanted) transact(ctx, () => ensureOwner(ctx, role, email))
}

function ensureOwner(ctx: Context, role: Role, email: string): void {
  const recorded = ctx.db.select().from(ownerAddresses).where(eq(ownerAddresses.email, email)).all()
  if (recorded.some((address) => address.role === role)) return
  const [known] = recorded
  const userId = known ? known.userId : makeOwner(ctx, email)
  insertRow(ctx, ownerAddresses, { role, email, userId, recordedAt: ctx.now().toISOString() })
}

function makeOwner(ctx: Context, email: string): string {
  const now = ctx.now().toISOString()
  const existing = findAccount(ctx, email)
  const userId = existing?.id ?? ctx.newId()
  if (existing === undefined) {
    insertRow(ctx, users, { id: userId, email, isAdmin: true, createdAt: now, updatedAt: now })
  } else {
    endWhatWasThereBefore(ctx, { id: userId, email }, { cause: 'password' })
    ctx.db.update(users).set({ isAdmin: true, updatedAt: now }).where(eq(users.id, userId)).run()
  }
  audit(ctx, 'system', 'owner.made', { targetId: userId })
  mailOwnerLink(ctx, userId, email)
  return userId
}

function mailOwnerLink(ctx: Context, userId: string, email: string): OwnerLink {
  const link = issueLink(ctx, email, 'password')
  const url = passwordLinkUrl(ctx, link.token)
  const message = ownerLinkMail({ url, hours: linkMinutes / 60 })
  const cause = `owner-link:${userId}:${link.expiresAt}`
  queueMessage(ctx, { cause, to: email, userId, lapsesAt: link.expiresAt }, message)
  return { email, url, expiresAt: link.expiresAt }
}

/** Returned to someone at this machine or an owner. Tells all owners, because the link gives control of the site. */
export function ownerLink(ctx: Context, owner: Owner, { email }: OwnerLinkRequest): OwnerLink {
  return transact(ctx, () => {
    const user = findAccount(ctx, email)
    if (!user?.isAdmin) throw notFound('An owner with this address')
    audit(ctx, owner.actor, 'owner.link', { targetId: user.id })
    const { token, expiresAt } = issueLink(ctx, email, 'password')
    tellOwners(ctx, { email, isByTerminal: owner.userId === null })
    return { email, url: passwordLinkUrl(ctx, token), expiresAt }
  })
}

/** The account created for the configured address, whatever its address is now. */
export function isSimpleAdmin(ctx: Context, { userId }: Owner): boolean {
  const { simpleAdminEmail } = ctx.settings
  if (userId === null || simpleAdminEmail === undefined) return false
  const recorded = ctx.db
    .select({ userId: ownerAddresses.userId })
    .from(ownerAddresses)
    .where(and(eq(ownerAddresses.role, 'simple_admin'), eq(ownerAddresses.email, simpleAdminEmail)))
    .get()
  return recorded?.userId === userId
}

function tellOwners(ctx: Context, link: { email: string; isByTerminal: boolean }): void {
  const message = ownerLinkMadeMail(link)
  const cause = `owner-link-made:${ctx.newId()}`
  for (const { id, email } of listOwners(ctx))
    queueMessage(ctx, { cause: `${cause}:${id}`, to: email, userId: id, isRepeatable: true }, message)
}
