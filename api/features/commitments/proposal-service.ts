import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { commitments } from '#api/db/schema/commitments.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError, invalidField, memberNotFound, notFound } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import type { Commitment, CommitmentProposal, MemberCommitments } from '#shared/contract/commitments.ts'
import { openOnes, proposedOnes, settledOnes } from '#shared/rules/commitments.ts'
import { londonDay } from '#shared/rules/london.ts'
import { callOfMember, commitmentById, commitmentsOfMember, toCommitment } from './queries.ts'
import { newCommitment, sharesOf } from './service.ts'

export function readMemberCommitments(ctx: Context, userId: string): MemberCommitments {
  assertMember(ctx, userId)
  const all = commitmentsOfMember.all(ctx, { userId, since: '' }).map(toCommitment)
  return { commitments: [...openOnes(all), ...proposedOnes(all), ...settledOnes(all)], months: sharesOf(ctx, userId) }
}

/**
 * Puts a commitment before a member to accept. Sent again, or made of a line that is one already, it's the one that's there: a line
 * of a call has its id from the line.
 */
export function proposeCommitment(
  ctx: Context,
  owner: Owner,
  { userId, id, text, day, callId }: CommitmentProposal & { userId: string },
): Commitment {
  return transact(ctx, () => {
    assertMember(ctx, userId)
    const known = commitmentById.get(ctx, { id })
    if (known) return ofMember(known, userId)
    if (day < londonDay(ctx.now())) throw invalidField('day', 'That day has passed. Choose today or a later one.')
    if (callId !== null && callOfMember.get(ctx, { id: callId, userId }) === undefined) throw notFound('This call')
    const made = { id, userId, text, day, callId, videoId: null, createdAt: ctx.now().toISOString() }
    insertRow(ctx, commitments, newCommitment({ ...made, madeBy: 'coach', state: 'proposed' }))
    // The text is between the two of them, so the log records only that there is one.
    audit(ctx, owner.actor, 'commitment.proposed', { targetId: userId, detail: { day } })
    return ofMember(commitmentById.get(ctx, { id }), userId)
  })
}

function ofMember(found: Parameters<typeof toCommitment>[0] | undefined, userId: string): Commitment {
  if (found?.row.userId !== userId) throw new AppError('conflict', 'That didn’t save. Write it again.')
  return toCommitment(found)
}

function assertMember({ db }: Context, userId: string): void {
  if (db.select({ id: users.id }).from(users).where(eq(users.id, userId)).get() === undefined) throw memberNotFound()
}
