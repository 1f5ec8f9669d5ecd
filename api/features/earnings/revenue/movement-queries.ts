import { and, eq, gte, isNotNull, lte, not, notExists, sql } from 'drizzle-orm'
import { filled, isPutOff, total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { monthSums, movementSums, revenueChanges } from '#api/db/schema/revenue.ts'
import { duplicateSubscriptions, subscriptions } from '#api/db/schema/subscriptions.ts'

export type MonthCounts = {
  /** How many more customers paid at the end of the month than at its beginning. */
  movedCustomers: number
  lostCustomers: number
  trialsEnded: number
  trialsConverted: number
  fromStripe?: number
}

export const movedByMonth = preparedQuery()((db) =>
  db
    .select({
      month: movementSums.month,
      moved: total(sql`${movementSums.countedAfter} - ${movementSums.countedBefore}`),
      fromStripeYearly: total(movementSums.historyYearly),
    })
    .from(movementSums)
    .groupBy(movementSums.month),
)

/** A person who left twice in a month is lost once. */
export const lostByMonth = preparedQuery()((db) =>
  db
    .select({ month: monthSums.month, lost: total(monthSums.lost) })
    .from(monthSums)
    .groupBy(monthSums.month),
)

/** Trials that were set up and came before any payment, by the moment their first payment fell or would have fallen due. */
export const trialsBetween = preparedQuery<{ from: string; now: string }>()((db, { from, now }) => {
  const duplicate = db
    .select({ id: duplicateSubscriptions.stripeSubscriptionId })
    .from(duplicateSubscriptions)
    .where(eq(duplicateSubscriptions.stripeSubscriptionId, subscriptions.id))
  const counted = sql`exists (select 1 from ${revenueChanges} where ${revenueChanges.customerId} = ${subscriptions.customerId}
    and ${revenueChanges.subscriptionId} = ${subscriptions.id} and ${revenueChanges.afterYearly} > 0)`
  return db
    .select({
      trialEnd: filled(subscriptions.trialEnd),
      ended: sql`count(*)`.mapWith(Number),
      converted: total(counted),
    })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.trialEnd),
        gte(subscriptions.trialEnd, from),
        lte(subscriptions.trialEnd, now),
        eq(subscriptions.isSettled, true),
        not(isPutOff(subscriptions)),
        notExists(duplicate),
      ),
    )
    .groupBy(subscriptions.trialEnd)
})
