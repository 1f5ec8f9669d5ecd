import { asc, eq } from 'drizzle-orm'
import { type HasDb, preparedQuery } from './query.ts'
import { commitments } from './schema/commitments.ts'

const changesOfMember = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({
      id: commitments.id,
      text: commitments.textChangeId,
      day: commitments.dayChangeId,
      state: commitments.stateChangeId,
    })
    .from(commitments)
    .where(eq(commitments.userId, userId))
    .orderBy(asc(commitments.id)),
)

/**
 * Changes as soon as any of a member's commitments does. Empty if there are none, so that a phone without them is told nothing. The
 * ticks' answers carry it, and a phone asks for its commitments only if its own mark is another.
 */
export function commitmentMark(ctx: HasDb, userId: string): string {
  const rows = changesOfMember.all(ctx, { userId })
  return rows.length === 0 ? '' : Bun.hash(JSON.stringify(rows)).toString(36)
}
