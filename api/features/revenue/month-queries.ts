import { asc, desc, eq, gte, lt } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { nameOrRemoved, userIdOfCustomer } from '#api/db/customers.ts'
import { greatest } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { revenueChanges, revenueMonths } from '#api/db/schema/revenue.ts'
import { londonMonth, nextMonth } from '#shared/rules/london.ts'

/**
 * The month that the billing clock is in. What is frozen from it on was frozen by a clock that ran ahead and has been set back
 * since: it has not ended, so nothing takes it for frozen, and the next freeze deletes it.
 */
const runningMonth = (ctx: Context) => londonMonth(ctx.billingNow())

const frozenBefore = preparedQuery<{ month: string; limit: number }>()((db, { month, limit }) =>
  db.select().from(revenueMonths).where(lt(revenueMonths.month, month)).orderBy(desc(revenueMonths.month)).limit(limit),
)

const frozenFrom = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select().from(revenueMonths).where(gte(revenueMonths.month, month)).orderBy(asc(revenueMonths.month)),
)

const frozenMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select({ month: revenueMonths.month }).from(revenueMonths).where(eq(revenueMonths.month, month)),
)

const lastFrozenMonth = preparedQuery<{ running: string }>()((db, { running }) =>
  db
    .select({ month: greatest(revenueMonths.month) })
    .from(revenueMonths)
    .where(lt(revenueMonths.month, running)),
)

/** The newest so many, newest first. */
export const frozenMonths = (ctx: Context, limit: number) => frozenBefore.all(ctx, { month: runningMonth(ctx), limit })

export const lastFrozen = (ctx: Context) => frozenBefore.get(ctx, { month: runningMonth(ctx), limit: 1 })

/** The newest frozen month before this one. */
export function lastFrozenBefore(ctx: Context, month: string) {
  const running = runningMonth(ctx)
  return frozenBefore.get(ctx, { month: month < running ? month : running, limit: 1 })
}

export const isFrozen = (ctx: Context, month: string): boolean =>
  month < runningMonth(ctx) && frozenMonth.get(ctx, { month }) !== undefined

/** What was frozen of months that have not ended, oldest first. */
export const frozenTooSoon = (ctx: Context) => frozenFrom.all(ctx, { month: runningMonth(ctx) })

/** The month after the last frozen one: nothing is booked before it any more. Null while none is frozen. */
export function firstOpenMonth(ctx: Context): string | null {
  const last = lastFrozenMonth.get(ctx, { running: runningMonth(ctx) })?.month ?? null
  return last === null ? null : nextMonth(last)
}

/** The month itself, or where it is frozen, the first open one: what comes late is booked there. */
export function openMonth(ctx: Context, month: string): string {
  const first = firstOpenMonth(ctx)
  return first !== null && month < first ? first : month
}

/** Each change of a month by itself, oldest first. */
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
