import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { ownerInvitations } from '#api/db/schema/invitations.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { fullName } from '#shared/rules/person-name.ts'

const isOwner = and(eq(ownerAddresses.role, 'owner'), eq(users.isAdmin, true))

/** Everyone who runs the site, longest-serving first. The simple admin only if they're an owner too. */
export const listOwners = ({ db }: Context) =>
  db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      lastSeenAt: users.lastSeenAt,
      recordedAs: ownerAddresses.email,
      since: ownerAddresses.recordedAt,
    })
    .from(users)
    .innerJoin(ownerAddresses, eq(ownerAddresses.userId, users.id))
    .where(isOwner)
    .orderBy(asc(ownerAddresses.recordedAt), asc(users.email))
    .all()

/** Where mail to the owners goes: their accounts' addresses, and configured ones whose accounts the next start makes. */
export function ownerMailboxes(ctx: Context): string[] {
  const recorded = ctx.db
    .select({ email: ownerAddresses.email })
    .from(ownerAddresses)
    .where(eq(ownerAddresses.role, 'owner'))
    .all()
  const isRecorded = new Set(recorded.map(({ email }) => email))
  const toBe = ctx.settings.ownerEmails.filter((email) => !isRecorded.has(email))
  return [...new Set([...listOwners(ctx).map(({ email }) => email), ...toBe])]
}

/** Whether the account is there for the simple dashboard alone. */
export function isSimpleAdminOnly({ db }: Context, userId: string): boolean {
  const roles = db.select({ role: ownerAddresses.role }).from(ownerAddresses).where(eq(ownerAddresses.userId, userId))
  const recorded = roles.all().map(({ role }) => role)
  return recorded.includes('simple_admin') && !recorded.includes('owner')
}

/** Whether the server's settings name this account as an owner's or the simple admin's. Such an address changes only there. */
export function isConfigured(ctx: Context, userId: string): boolean {
  const { ownerEmails, simpleAdminEmail } = ctx.settings
  return ctx.db
    .select({ role: ownerAddresses.role, email: ownerAddresses.email })
    .from(ownerAddresses)
    .where(eq(ownerAddresses.userId, userId))
    .all()
    .some(({ role, email }) => (role === 'owner' ? ownerEmails.includes(email) : simpleAdminEmail === email))
}

export const openInvitations = (ctx: Context) =>
  ctx.db
    .select({
      id: ownerInvitations.id,
      email: ownerInvitations.email,
      createdAt: ownerInvitations.createdAt,
      expiresAt: ownerInvitations.expiresAt,
      by: { email: users.email, firstName: users.firstName, lastName: users.lastName },
    })
    .from(ownerInvitations)
    .leftJoin(users, eq(users.id, ownerInvitations.invitedBy))
    .where(and(isNull(ownerInvitations.closedAt), gt(ownerInvitations.expiresAt, ctx.now().toISOString())))
    .orderBy(asc(ownerInvitations.createdAt), asc(ownerInvitations.id))
    .all()
    .map(({ by, ...invitation }) => ({
      ...invitation,
      invitedBy: by === null ? 'Someone at the server’s terminal' : fullName(by) || by.email,
    }))
