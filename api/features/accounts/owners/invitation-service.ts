import { and, eq, gt, isNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { ownerInvitations } from '#api/db/schema/invitations.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { AppError, notFound } from '#api/errors.ts'
import { hashWhenDue } from '#api/features/accounts/login/hash-queue-service.ts'
import { endEmailUndo } from '#api/features/accounts/login/link-service.ts'
import { letBackIn } from '#api/features/accounts/login/login-service.ts'
import { endWhatWasThereBefore } from '#api/features/accounts/login/mailbox-service.ts'
import { assertUncommonPassword, hashPassword } from '#api/features/accounts/login/password-service.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { isSimpleAdminOnly, openInvitations, ownerMailboxes } from '#api/features/accounts/owner-queries.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import type { Owner, Person } from '#api/identity/person.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { ownerInvitationMail, ownersChangedMail } from '#api/mail/templates/owners.ts'
import { keyedHash, newToken } from '#api/secrets.ts'
import type {
  AcceptOwnerRequest,
  InvitedOwner,
  OwnerInvitation,
  OwnerInvitationRequest,
} from '#shared/contract/owners.ts'
import { isLive } from '#shared/rules/membership.ts'

export const invitationHours = 48

const hashOf = (ctx: Context, token: string) => keyedHash(ctx, 'owner-invitation', token)

/** The simple admin can't invite or remove owners. The terminal on this machine can. */
export function assertOwnerProper(ctx: Context, { userId }: Owner): void {
  if (userId === null || !isSimpleAdminOnly(ctx, userId)) return
  throw new AppError('forbidden', 'Only owners can invite or remove owners.')
}

const refused = (sentence: string) =>
  new AppError('invalid', 'Check the marked fields.', { fields: { email: sentence } })

/** Mails a link that works once. Replaces an earlier invitation to the same address, and tells every owner. */
export function inviteOwner(ctx: Context, owner: Owner, { email }: OwnerInvitationRequest): OwnerInvitation {
  return transact(ctx, () => {
    assertOwnerProper(ctx, owner)
    assertInvitable(ctx, email)
    closeInvitations(ctx, email)
    const [id, token, createdAt] = [ctx.newId(), newToken(), ctx.now().toISOString()]
    const expiresAt = new Date(ctx.now().getTime() + invitationHours * 3_600_000).toISOString()
    const row = { id, email, createdAt, expiresAt, invitedBy: owner.userId }
    insertRow(ctx, ownerInvitations, { ...row, tokenHash: hashOf(ctx, token) })
    audit(ctx, owner.actor, 'owner.invited', { targetId: id, detail: { email } })
    const invitation = openInvitations(ctx).find((open) => open.id === id)
    if (invitation === undefined) throw notFound('This invitation')
    const url = `${ctx.settings.publicUrl}/members/owner-invitation?token=${token}`
    const { invitedBy } = invitation
    const message = ownerInvitationMail({ url, expiresAt, by: owner.userId === null ? null : invitedBy })
    queueMessage(ctx, { cause: `owner-invitation:${id}`, to: email, userId: null, lapsesAt: expiresAt }, message)
    tellOwners(ctx, { kind: 'invited', email, by: invitedBy })
    return invitation
  })
}

function assertInvitable(ctx: Context, email: string): void {
  const account = findAccount(ctx, email)
  if (account?.isAdmin) throw refused('They’re an owner already.')
  if (account !== undefined && hasSubscription(ctx, account.id))
    throw refused('They have a live membership. End it first, then invite them.')
}

/** No figure counts owners, so an owner can't be a paying member as well. */
const hasSubscription = (ctx: Context, userId: string) => isLive(accessOfUser(ctx, userId).status)

function closeInvitations(ctx: Context, email: string): void {
  ctx.db
    .update(ownerInvitations)
    .set({ closedAt: ctx.now().toISOString() })
    .where(and(eq(ownerInvitations.email, email), isNull(ownerInvitations.closedAt)))
    .run()
}

export function withdrawInvitation(ctx: Context, owner: Owner, id: string): OwnerInvitation {
  return transact(ctx, () => {
    assertOwnerProper(ctx, owner)
    const invitation = openInvitations(ctx).find((open) => open.id === id)
    if (invitation === undefined) throw notFound('This invitation')
    closeInvitations(ctx, invitation.email)
    audit(ctx, owner.actor, 'owner.invitation_withdrawn', { targetId: id, detail: { email: invitation.email } })
    return invitation
  })
}

const invalid = () =>
  new AppError('invalid_link', 'This invitation has been used or cancelled, or has run out. Ask for another.')

function findInvitation(ctx: Context, token: string) {
  const { closedAt, expiresAt, tokenHash } = ownerInvitations
  const isOpen = and(isNull(closedAt), gt(expiresAt, ctx.now().toISOString()))
  const found = ctx.db
    .select()
    .from(ownerInvitations)
    .where(and(eq(tokenHash, hashOf(ctx, token)), isOpen))
    .get()
  if (found === undefined) throw invalid()
  return found
}

export function readInvitedOwner(ctx: Context, token: string, here: Person | null): InvitedOwner {
  const { email } = findInvitation(ctx, token)
  return { email, hasAccount: findAccount(ctx, email) !== undefined, isHere: here?.email === email }
}

type Caller = { here: Person | null; address: string; device: string | undefined; deviceName: string | null }

/**
 * Makes the invited address’s account an owner’s, with a new password. Everything that got into it before stops working. An
 * existing account must be logged in, so that a mailbox alone isn’t enough. Returns the new login’s cookies.
 */
export async function acceptInvitation(
  ctx: Context,
  { token, newPassword }: AcceptOwnerRequest,
  caller: Caller,
): Promise<string[]> {
  const { email } = findInvitation(ctx, token)
  assertAcceptable(ctx, email, caller.here)
  await assertUncommonPassword(ctx, newPassword, email)
  const account = findAccount(ctx, email)?.id
  const passwordHash = await hashWhenDue(ctx, { address: caller.address, account }, () => hashPassword(newPassword))
  return transact(ctx, () => {
    const invitation = findInvitation(ctx, token)
    assertAcceptable(ctx, email, caller.here)
    const id = makeOwner(ctx, email, passwordHash)
    closeInvitations(ctx, email)
    audit(ctx, `user:${id}`, 'owner.accepted', { targetId: id, detail: { invitation: invitation.id } })
    tellOwners(ctx, { kind: 'accepted', email })
    const device = letBackIn(ctx, { userId: id, email }, caller)
    return [startSession(ctx, id, { device: caller.deviceName, isProven: true }), device]
  })
}

function assertAcceptable(ctx: Context, email: string, here: Person | null): void {
  const account = findAccount(ctx, email)
  if (account === undefined) return
  if (account.isAdmin) throw invalid()
  if (here?.email !== email) throw new AppError('unauthenticated', `Log in as ${email} to accept.`)
  if (!hasSubscription(ctx, account.id)) return
  throw new AppError('conflict', 'You’ve got a live membership. End it under Billing first, then open this link again.')
}

function makeOwner(ctx: Context, email: string, passwordHash: string): string {
  const now = ctx.now().toISOString()
  const existing = findAccount(ctx, email)
  const id = existing?.id ?? ctx.newId()
  if (existing === undefined) insertRow(ctx, users, { id, email, createdAt: now, updatedAt: now })
  endWhatWasThereBefore(ctx, { id, email }, { cause: 'password' })
  endEmailUndo(ctx, id)
  ctx.db
    .update(users)
    .set({ isAdmin: true, passwordHash, passwordChanged: true, updatedAt: now })
    .where(eq(users.id, id))
    .run()
  const isThere = and(eq(ownerAddresses.role, 'owner'), eq(ownerAddresses.email, email))
  // Left by an earlier owner with this address, whose account is gone.
  ctx.db.delete(ownerAddresses).where(isThere).run()
  insertRow(ctx, ownerAddresses, { role: 'owner', email, userId: id, recordedAt: now })
  return id
}

type Change = Parameters<typeof ownersChangedMail>[0]

/** Every owner is told of every change, since each of them can undo it. */
export function tellOwners(ctx: Context, change: Change, also: readonly string[] = []): void {
  const message = ownersChangedMail(change)
  const cause = `owners-changed:${ctx.newId()}`
  for (const to of new Set([...ownerMailboxes(ctx), ...also]))
    queueMessage(ctx, { cause: `${cause}:${to}`, to, userId: null, isRepeatable: true }, message)
}
