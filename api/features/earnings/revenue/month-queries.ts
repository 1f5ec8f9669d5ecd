import { asc, desc, eq, lt } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { nameOrRemoved, userIdOfCustomer } from '#api/db/customers.ts'
import { greatest } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { revenueChanges, revenueMonths } from '#api/db/schema/revenue.ts'
import type { RevenueMovementRow } from '#shared/contract/provider-comparison.ts'
import { nextMonth } from '#shared/rules/london.ts'
import { monthlyOf } from '#shared/rules/mrr.ts'

const newestClosed = preparedQuery<{ limit: number }>()((db, { limit }) =>
  db.select().from(revenueMonths).orderBy(desc(revenueMonths.month)).limit(limit),
)

const closedBefore = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select().from(revenueMonths).where(lt(revenueMonths.month, month)).orderBy(desc(revenueMonths.month)).limit(1),
)

const closedMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select({ month: revenueMonths.month }).from(revenueMonths).where(eq(revenueMonths.month, month)),
)

const lastClosedMonth = preparedQuery()((db) => db.select({ month: greatest(revenueMonths.month) }).from(revenueMonths))

export const closedMonths = (ctx: Context, limit: number) => newestClosed.all(ctx, { limit })

export const lastClosed = (ctx: Context) => newestClosed.get(ctx, { limit: 1 })

export const lastClosedBefore = (ctx: Context, month: string) => closedBefore.get(ctx, { month })

/** A closed month stays closed whatever the clock says, even if the clock says it hasn't ended. */
export const isClosed = (ctx: Context, month: string): boolean => closedMonth.get(ctx, { month }) !== undefined

/** The month after the last closed one. Nothing is booked before it any more. Null while no month is closed. */
export function firstOpenMonth(ctx: Context): string | null {
  const last = lastClosedMonth.get(ctx)?.month ?? null
  return last === null ? null : nextMonth(last)
}

/** The month itself, or the first open one if it's closed: late entries are booked there. */
export function openMonth(ctx: Context, month: string): string {
  const first = firstOpenMonth(ctx)
  return first !== null && month < first ? first : month
}

const changesByTime = preparedQuery<{ month: string }>()((db, { month }) =>
  db
    .select({
      at: revenueChanges.at,
      kind: revenueChanges.kind,
      name: nameOrRemoved,
      beforeYearly: revenueChanges.beforeYearly,
      afterYearly: revenueChanges.afterYearly,
    })
    .from(revenueChanges)
    .innerJoin(customers, eq(customers.id, revenueChanges.customerId))
    .leftJoin(users, eq(users.id, userIdOfCustomer()))
    .where(eq(revenueChanges.month, month))
    .orderBy(asc(revenueChanges.at), asc(revenueChanges.id)),
)

export const movementsOfMonth = (ctx: Context, month: string): RevenueMovementRow[] =>
  changesByTime.all(ctx, { month }).map(({ beforeYearly, afterYearly, ...row }) => ({
    ...row,
    before: monthlyOf(beforeYearly),
    after: monthlyOf(afterYearly),
  }))
