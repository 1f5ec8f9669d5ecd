import { count, eq, max, sum } from 'drizzle-orm'
import { type HasDb, preparedQuery } from './query.ts'
import { questions } from './schema/questions.ts'

const stateOfMember = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ count: count(), versions: sum(questions.version), updatedAt: max(questions.updatedAt) })
    .from(questions)
    .where(eq(questions.userId, userId)),
)

/**
 * Changes with any of a member's questions: an answer, a reading, a file that has come. Not with a video's name or a call's day,
 * which come within the hour. Empty if there are none. The ticks' answers carry it, and a phone asks for its questions only if its own
 * mark is another.
 */
export function questionMark(ctx: HasDb, userId: string): string {
  const state = stateOfMember.get(ctx, { userId })
  return state === undefined || state.count === 0 ? '' : Bun.hash(JSON.stringify(state)).toString(36)
}
