import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, gt, inArray, isNotNull, isNull, notInArray } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { type RevenueFigures, revenueChanges, revenueMonths } from '#api/db/schema/revenue.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { monthlyOf } from '#shared/rules/mrr.ts'
import { isWithoutLine } from './commission/ledger-queries.ts'
import { writeLedger } from './commission/ledger-service.ts'
import { recordRevenueChanges } from './revenue/change-service.ts'
import { areBookingsDue, clockDoubt, endHold } from './revenue/clock-service.ts'
import { lastClosed } from './revenue/month-queries.ts'
import { closingYearlyOf, commissionAt, figuresOf } from './revenue/month-rules.ts'
import { openMonths } from './revenue/month-service.ts'
import { noteProviderClock } from './revenue/provider-clock-service.ts'
import { isCounted, lastCounted, ledgerUntil } from './revenue/queries.ts'

type ClosedMonths = { frozen: number; newest: string | null; waits?: string }

/** Freezes ended months, London time, oldest first. Throws at one that doesn't add up. Waits while the clock is in doubt. */
export function closeMonths(ctx: Context): ClosedMonths {
  noteProviderClock(ctx)
  const waits = clockDoubt(ctx)
  if (waits !== null) return { frozen: 0, newest: null, waits }
  const ended = openMonths(ctx).slice(0, -1)
  if (ended.length > 0) writeMissingRows(ctx)
  for (const month of ended) transact(ctx, () => closeMonth(ctx, month))
  return { frozen: ended.length, newest: ended.at(-1) ?? null }
}

/** Writes the bookings we held while a month was closed after now. Yields between customers so that requests get served. */
export async function writeHeldBookings(ctx: Context): Promise<void> {
  if (!areBookingsDue(ctx)) return
  for (const customer of ctx.db.select({ id: customers.id, userId: customers.userId }).from(customers).all()) {
    transact(ctx, () => writeBookings(ctx, customer))
    await nextTurn()
  }
  if (areBookingsDue(ctx)) endHold(ctx)
}

function writeBookings(ctx: Context, customer: Customer): void {
  recordRevenueChanges(ctx, customer)
  writeLedger(ctx, customer)
}

function closeMonth(ctx: Context, month: string): void {
  const before = lastClosed(ctx)?.figures ?? null
  const figures = { ...figuresOf(ctx, month, before), commission: commissionAt(ctx, month, before) }
  assertAddsUp(ctx, month, figures)
  insertRow(ctx, revenueMonths, { month, figures, frozenAt: ctx.billingNow().toISOString() })
}

/** For customers whose rows have no changes and ledger lines yet, such as rows older than both tables. */
function writeMissingRows(ctx: Context): void {
  const { db } = ctx
  const withoutChange = db
    .select({ customerId: subscriptions.customerId })
    .from(subscriptions)
    .where(
      and(
        isCounted,
        gt(subscriptions.yearlyNet, 0),
        notInArray(subscriptions.customerId, db.select({ customerId: revenueChanges.customerId }).from(revenueChanges)),
      ),
    )
  const withoutLine = db
    .select({ customerId: invoices.customerId })
    .from(invoices)
    .where(and(isNull(invoices.replacesId), isNotNull(invoices.tierSlug), gt(invoices.net, 0), isWithoutLine))
  const behind = db
    .select({ id: customers.id, userId: customers.userId })
    .from(customers)
    .where(inArray(customers.id, union(withoutChange, withoutLine)))
    .all()
  for (const customer of behind) {
    transact(ctx, () => writeBookings(ctx, customer))
  }
}

/** Checks that the movements add up to each customer's last counted amount, and the monthly commission to the ledger's total. */
function assertAddsUp(ctx: Context, month: string, figures: RevenueFigures): void {
  const { payingCustomers = 0, commission = 0 } = figures
  const closing = closingYearlyOf(figures)
  const counted = lastCounted.get(ctx, { month }) ?? { customers: 0, yearly: 0 }
  const ledger = ledgerUntil.get(ctx, { month })?.amount ?? 0
  if (counted.yearly !== closing || counted.customers !== payingCustomers) {
    throw new Error(
      `${month} doesn’t add up, so it stays open. Its movements come to ${formatPoundsAndPence(monthlyOf(closing))} from ${payingCustomers}, but we count ${formatPoundsAndPence(monthlyOf(counted.yearly))} from ${counted.customers}.`,
    )
  }
  if (ledger !== commission) {
    throw new Error(
      `${month} doesn’t add up, so it stays open. Its commission comes to ${formatPoundsAndPence(commission)}, the ledger to ${formatPoundsAndPence(ledger)}.`,
    )
  }
}
