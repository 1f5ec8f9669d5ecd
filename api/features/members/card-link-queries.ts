import { and, eq, gte, like, type SQLWrapper, sql } from 'drizzle-orm'
import { greatest, nullable } from '#api/db/expressions.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { dayMs } from '#shared/rules/durations.ts'

/** An owner who asked for a new card leaves the member this long to answer. */
const patienceMs = 7 * dayMs

export const patienceFrom = (now: Date): string => new Date(now.getTime() - patienceMs).toISOString()

/** For a query of `users`: when an owner last emailed a link for a new card, from that moment on. */
export const cardAskedAt = (since: SQLWrapper) =>
  nullable(
    mailOutbox.createdAt,
    sql`(select ${greatest(mailOutbox.createdAt)} from ${mailOutbox} where ${and(
      eq(mailOutbox.userId, users.id),
      like(mailOutbox.cause, 'card-link:%'),
      gte(mailOutbox.createdAt, since),
    )})`,
  )
