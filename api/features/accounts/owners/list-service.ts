import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { callFeeds, callMornings } from '#api/db/schema/calendar.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { AppError, notFound } from '#api/errors.ts'
import { revokeLinks } from '#api/features/accounts/login/link-service.ts'
import { endAllSessions, forgetDevices } from '#api/features/accounts/login/session-service.ts'
import { isConfigured, isSimpleAdminOnly, listOwners, openInvitations } from '#api/features/accounts/owner-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { hasSecondFactor } from '#api/identity/second-factor.ts'
import type { OwnersResponse, SiteOwner } from '#shared/contract/owners.ts'
import { fullName } from '#shared/rules/person-name.ts'
import { assertOwnerProper, tellOwners } from './invitation-service.ts'

export function readOwners(ctx: Context, owner: Owner): OwnersResponse {
  const owners = listOwners(ctx).map((row) => shown(ctx, owner, row))
  const mayChange = owner.userId === null || !isSimpleAdminOnly(ctx, owner.userId)
  return { owners, invitations: openInvitations(ctx), mayChange }
}

type Row = ReturnType<typeof listOwners>[number]

const shown = (ctx: Context, owner: Owner, { id, email, since, lastSeenAt, ...names }: Row): SiteOwner => ({
  id,
  email,
  since,
  lastSeenAt,
  name: fullName(names) || null,
  hasSecondFactor: hasSecondFactor(ctx, id),
  isConfigured: isConfigured(ctx, id),
  isYou: id === owner.userId,
})

/** Removes an invited owner, and ends everything they could get in with. One owner always stays. */
export function removeOwner(ctx: Context, owner: Owner, idOrEmail: string): SiteOwner {
  return transact(ctx, () => {
    assertOwnerProper(ctx, owner)
    const all = listOwners(ctx)
    const row = all.find(({ id, email }) => id === idOrEmail || email === idOrEmail.toLowerCase())
    if (row === undefined) throw notFound('This owner')
    const found = shown(ctx, owner, row)
    if (found.isConfigured)
      throw new AppError('conflict', 'This owner is set on the server, so you can’t remove them here.')
    if (all.length === 1) throw new AppError('conflict', 'The site needs an owner. Invite another one first.')
    const { id, email } = found
    ctx.db
      .delete(ownerAddresses)
      .where(and(eq(ownerAddresses.userId, id), eq(ownerAddresses.role, 'owner')))
      .run()
    ctx.db.update(users).set({ isAdmin: false, updatedAt: ctx.now().toISOString() }).where(eq(users.id, id)).run()
    endAllSessions(ctx, id, { cause: 'signed_out' })
    forgetDevices(ctx, id)
    revokeLinks(ctx, email)
    // A feed's address is all it takes to read the diary, and they know theirs.
    ctx.db.delete(callFeeds).where(eq(callFeeds.ownerId, id)).run()
    ctx.db.update(callMornings).set({ isOn: false }).where(eq(callMornings.email, email)).run()
    audit(ctx, owner.actor, 'owner.removed', { targetId: id, detail: { email } })
    const by = all.find((one) => one.id === owner.userId)
    const named = by === undefined ? 'Someone at the server’s terminal' : fullName(by) || by.email
    tellOwners(ctx, { kind: 'removed', email, by: named }, [email])
    return found
  })
}
