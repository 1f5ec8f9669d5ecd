import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import type { Owner } from '#api/identity/person.ts'
import type { AdminMemberDetail, NewMemberRequest } from '#shared/contract/members.ts'
import { findMember } from './queries.ts'

/** Creates an account. Mails and charges nothing: an invitation or free access follows separately. */
export function addMember(ctx: Context, owner: Owner, { email, ...profile }: NewMemberRequest): AdminMemberDetail {
  return transact(ctx, () => {
    if (isKnownAddress(ctx, email)) {
      throw new AppError('account_exists', 'There’s already an account with this address.')
    }
    const [id, now] = [ctx.newId(), ctx.now().toISOString()]
    insertRow(ctx, users, { id, email, ...profile, createdAt: now, updatedAt: now })
    audit(ctx, owner.actor, 'member.added', { targetId: id })
    const added = findMember(ctx, id)
    if (added === null) throw memberNotFound()
    return added
  })
}
