import { asc, desc, eq, gt, max, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { revenueMonths } from '#api/db/schema/revenue.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import type { RevenueClock } from '#shared/contract/revenue.ts'
import { formatLongDate, londonClock } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'

/**
 * How far an entry may lie after now without a doubt: clocks are set right by seconds or minutes, and one that took its time
 * for that of another zone by less than a day.
 */
const setRightMs = 24 * 60 * 60_000

export type Clocks = HasDb & Pick<Context, 'now' | 'billingNow'>

const frozenAfter = preparedQuery<{ at: string }>()((db, { at }) =>
  db.select().from(revenueMonths).where(gt(revenueMonths.frozenAt, at)).orderBy(asc(revenueMonths.month)),
)

/** Clocks are set right by seconds while all is well, and two programs need not have read theirs at once. */
const setBackMs = 10 * 60_000

const soonAfterNow = (ctx: Clocks) => new Date(ctx.billingNow().getTime() + setBackMs).toISOString()

/** Months that are frozen at a time after now, oldest first: the clock is behind now, or was ahead then. No row tells which. */
export const frozenAfterNow = (ctx: Clocks) => frozenAfter.all(ctx, { at: soonAfterNow(ctx) })

/** By `targetId`, because there is an index on it. */
export const clockTarget = 'clock'
/** As they were written: ids and times of entries follow the clock. */
const entryOrder = sql`${auditEntries}.rowid`

/** The last time that an owner said that the clock is right: entries from before it say nothing against it any more. */
const lastConfirmed = preparedQuery()((db) =>
  db
    .select({
      entry: entryOrder.mapWith(Number),
      lastInvoice: sql`${auditEntries.detail} ->> '$.lastInvoice'`.mapWith(Number),
    })
    .from(auditEntries)
    .where(eq(auditEntries.targetId, clockTarget))
    .orderBy(desc(entryOrder))
    .limit(1),
)

const newestEntry = preparedQuery<{ entry: number }>()((db, { entry }) =>
  db
    .select({ at: auditEntries.at })
    .from(auditEntries)
    .where(sql`${entryOrder} > ${entry}`)
    .orderBy(desc(auditEntries.at))
    .limit(1),
)

const newestInvoice = preparedQuery<{ sequence: number }>()((db, { sequence }) =>
  db
    .select({ at: max(invoices.createdAt) })
    .from(invoices)
    .where(gt(invoices.sequence, sequence)),
)

/** The time of the newest entry where that is too far after now. Invoices are dated by the billing clock. */
function newestAfterNow(ctx: Clocks): string | null {
  const { entry, lastInvoice } = lastConfirmed.get(ctx) ?? { entry: 0, lastInvoice: 0 }
  const isAfter = (at: string | null | undefined, now: Date): at is string =>
    typeof at === 'string' && Date.parse(at) - now.getTime() > setRightMs
  const audited = newestEntry.get(ctx, { entry })?.at
  if (isAfter(audited, ctx.now())) return audited
  const invoiced = newestInvoice.get(ctx, { sequence: lastInvoice })?.at
  return isAfter(invoiced, ctx.billingNow()) ? invoiced : null
}

export const isNewestAfterNow = (ctx: Clocks): boolean => newestAfterNow(ctx) !== null

export const readClock = (ctx: Clocks): RevenueClock => ({
  now: ctx.billingNow().toISOString(),
  months: frozenAfterNow(ctx).map(({ month }) => month),
  newest: newestAfterNow(ctx),
})

const moment = (at: string) => `${formatLongDate(at)}, ${londonClock(at)}`

/** What speaks against the clock, with both causes and what is to be done about each; null where nothing does. */
export function clockDoubt(ctx: Clocks): string | null {
  const { now, months, newest } = readClock(ctx)
  if (months.length > 0) {
    const frozen = plural(months.length, 'month is', 'months are')
    return `${frozen} frozen at a time after now, ${moment(now)}. If that is not the time, set the clock right; if it is, the clock was ahead before, and an owner opens them: alliance mrr reopen.`
  }
  if (newest === null) return null
  return `The newest entry is of ${moment(newest)}, after now, ${moment(now)}, so months and reports wait. If that is not the time, set the clock right; if it is, the clock was ahead before, and an owner says so: alliance mrr reopen.`
}

const heldKey = 'held_bookings'

/**
 * Whether what follows from a payment in the books waits. While months are frozen at a time after now, nobody knows in which
 * month it belongs, and what is booked is never moved.
 */
export const areBookingsHeld = (ctx: Clocks): boolean => frozenAfter.get(ctx, { at: soonAfterNow(ctx) }) !== undefined

/** The same, and notes that something waits, so that it is written later. */
export function holdBookings(ctx: Context): boolean {
  const isHeld = areBookingsHeld(ctx)
  if (isHeld && readSetting(ctx, heldKey)?.value !== true) writeSetting(ctx, heldKey, true)
  return isHeld
}

/** Whether something waited that can be written now. */
export const areBookingsDue = (ctx: Context): boolean =>
  readSetting(ctx, heldKey)?.value === true && !areBookingsHeld(ctx)

export const endHold = (ctx: Context): void => writeSetting(ctx, heldKey, false)
