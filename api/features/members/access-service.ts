import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError, notFound } from '#api/errors.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import { refreshMembershipColumns } from '#api/features/access/service.ts'
import type { Owner } from '#api/http/session.ts'
import type { AdminMemberDetail } from '#shared/contract/members.ts'
import { findMember } from './queries.ts'

/**
 * Revokes or restores a person's access, whatever the state of their subscription; billing continues. `wanted` sets the
 * access, so that two owners who press at once both get what they meant; without it the present state is toggled.
 */
export function overrideAccess(
  ctx: Context,
  owner: Owner,
  { memberId, wanted }: { memberId: string; wanted: boolean | undefined },
): AdminMemberDetail {
  return transact(ctx, () => {
    const member = findMember(ctx, memberId)
    if (member === null) throw notFound('This member')
    if (member.isAdmin) throw new AppError('conflict', 'Owners have access without a membership.')
    const { subscriptionGivesAccess, hasAccess } = accessOfUser(ctx, member.id)
    const isMember = wanted ?? !hasAccess
    const override = isMember ? (subscriptionGivesAccess ? null : 'granted') : 'revoked'
    ctx.db
      .update(users)
      .set({ accessOverride: override, updatedAt: ctx.now().toISOString() })
      .where(eq(users.id, member.id))
      .run()
    refreshMembershipColumns(ctx, member.id)
    audit(ctx, owner.actor, isMember ? 'member.restore_access' : 'member.revoke_access', {
      targetId: member.id,
      detail: { override },
    })
    return findMember(ctx, member.id) ?? member
  })
}
