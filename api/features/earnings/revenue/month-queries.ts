import { asc, desc, eq, lt } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { nameOrRemoved, userIdOfCustomer } from '#api/db/customers.ts'
import { greatest } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { revenueChanges, revenueMonths } from '#api/db/schema/revenue.ts'
import { nextMonth } from '#shared/rules/london.ts'

const newestFrozen = preparedQuery<{ limit: number }>()((db, { limit }) =>
  db.select().from(revenueMonths).orderBy(desc(revenueMonths.month)).limit(limit),
)

const frozenBefore = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select().from(revenueMonths).where(lt(revenueMonths.month, month)).orderBy(desc(revenueMonths.month)).limit(1),
)

const frozenMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select({ month: revenueMonths.month }).from(revenueMonths).where(eq(revenueMonths.month, month)),
)

const lastFrozenMonth = preparedQuery()((db) => db.select({ month: greatest(revenueMonths.month) }).from(revenueMonths))

export const frozenMonths = (ctx: Context, limit: number) => newestFrozen.all(ctx, { limit })

export const lastFrozen = (ctx: Context) => newestFrozen.get(ctx, { limit: 1 })

export const lastFrozenBefore = (ctx: Context, month: string) => frozenBefore.get(ctx, { month })

/** A frozen month stays frozen whatever the clock says, even if the clock says it hasn't ended. */
export const isFrozen = (ctx: Context, month: string): boolean => frozenMonth.get(ctx, { month }) !== undefined

/** The month after the last frozen one. Nothing is booked before it any more. Null while no month is frozen. */
export function firstOpenMonth(ctx: Context): string | null {
  const last = lastFrozenMonth.get(ctx)?.month ?? null
  return last === null ? null : nextMonth(last)
}

/** The month itself, or the first open one if it's frozen: late entries are booked there. */
export function openMonth(ctx: Context, month: string): string {
  const first = firstOpenMonth(ctx)
  return first !== null && month < first ? first : month
}

export const movementsOfMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db
    .select({
      at: revenueChanges.at,
      kind: revenueChanges.kind,
      name: nameOrRemoved,
      before: revenueChanges.before,
      after: revenueChanges.after,
    })
    .from(revenueChanges)
    .innerJoin(customers, eq(customers.id, revenueChanges.customerId))
    .leftJoin(users, eq(users.id, userIdOfCustomer()))
    .where(eq(revenueChanges.month, month))
    .orderBy(asc(revenueChanges.at), asc(revenueChanges.id)),
)
