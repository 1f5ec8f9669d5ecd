import { and, eq, isNotNull, lte, not, notExists, type SQL, sql } from 'drizzle-orm'
import { filled, isOneOf, isPutOff, total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { duplicateSubscriptions, subscriptions } from '#api/db/schema/subscriptions.ts'

export type MonthCounts = {
  /** How many more customers paid at the end of the month than at its beginning. */
  movedCustomers: number
  lostCustomers: number
  trialsEnded: number
  trialsConverted: number
  fromStripe?: number
}

const isChurn = isOneOf(revenueChanges.kind, 'churn_voluntary', 'churn_failed_payment')

/** A person who left twice in a month is lost once. */
export const movedByMonth = preparedQuery()((db) => {
  const leaver: SQL = sql`iif(${isChurn} and ${revenueChanges.beforeYearly} > 0, ${revenueChanges.customerId}, null)`
  return db
    .select({
      month: revenueChanges.month,
      moved: total(sql`(${revenueChanges.afterYearly} > 0) - (${revenueChanges.beforeYearly} > 0)`),
      lost: sql`count(distinct ${leaver})`.mapWith(Number),
      fromStripeYearly: total(
        sql`${revenueChanges.isHistory} * (${revenueChanges.afterYearly} - ${revenueChanges.beforeYearly})`,
      ),
    })
    .from(revenueChanges)
    .groupBy(revenueChanges.month)
})

/** Trials that were set up and came before any payment, by the moment their first payment fell or would have fallen due. */
export const trialsUntil = preparedQuery<{ now: string }>()((db, { now }) => {
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
        lte(subscriptions.trialEnd, now),
        eq(subscriptions.isSettled, true),
        not(isPutOff(subscriptions)),
        notExists(duplicate),
      ),
    )
    .groupBy(subscriptions.trialEnd)
})
