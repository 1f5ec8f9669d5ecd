import { desc } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { belongsToUser } from '#api/db/customers.ts'
import { cancellations } from '#api/db/schema/subscriptions.ts'
import type { CancellationCopy } from '#shared/contract/account.ts'

const { id, cancelledAt, subject, text } = cancellations

/** The copies of a member's cancellations, the newest first. */
export const listCancellations = ({ db }: Context, userId: string): CancellationCopy[] =>
  db
    .select({ id, cancelledAt, subject, text })
    .from(cancellations)
    .where(belongsToUser(db, cancellations.customerId, userId))
    .orderBy(desc(cancelledAt), desc(id))
    .all()
