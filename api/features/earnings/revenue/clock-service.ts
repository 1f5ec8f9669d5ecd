import { asc, desc, eq, gt, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { jsonFieldOf, writtenOrder } from '#api/db/expressions.ts'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { revenueMonths } from '#api/db/schema/revenue.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import type { RevenueClock } from '#shared/contract/revenue.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { formatMoment, nextMonth, startOfMonth } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { isWithinJump } from './jump-service.ts'
import { providerDoubt } from './provider-clock-service.ts'

/** Entries further past now than this cast doubt on the clock. A wrong time zone is off by less than a day. */
const setRightMs = dayMs

export type Clocks = HasDb & Pick<Context, 'now' | 'billingNow'>

const closedAfter = preparedQuery<{ at: string }>()((db, { at }) =>
  db.select().from(revenueMonths).where(gt(revenueMonths.frozenAt, at)).orderBy(asc(revenueMonths.month)),
)

/** Normal corrections move a clock by seconds, and two processes may read slightly different times. */
const setBackMs = 10 * 60_000

const soonAfterNow = (ctx: Clocks) => new Date(ctx.billingNow().getTime() + setBackMs).toISOString()

/** Months closed at a time after now, oldest first. The clock is behind now, or was ahead then: no row tells which. */
const closedAfterNow = (ctx: Clocks) => closedAfter.all(ctx, { at: soonAfterNow(ctx) })

const earlyKey = 'months_frozen_early'
/** By month: when it was closed too early, and a later reading of the clock from before the month's end. */
const ClosedEarly = v.record(v.string(), v.object({ frozenAt: v.string(), seenAt: v.string() }))
type ClosedEarly = v.InferOutput<typeof ClosedEarly>

const closedMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select().from(revenueMonths).where(eq(revenueMonths.month, month)),
)

function readClosedEarly(ctx: HasDb): ClosedEarly {
  const parsed = v.safeParse(ClosedEarly, readSetting(ctx, earlyKey)?.value)
  return parsed.success ? parsed.output : {}
}

/** Records months a fast clock closed too early. Once the time passes `frozenAt`, nothing shows it. */
export function noteClosedEarly(ctx: Clocks): void {
  const seenAt = ctx.billingNow().toISOString()
  const known = readClosedEarly(ctx)
  const early = closedAfterNow(ctx).filter(
    ({ month, frozenAt: closedAt }) =>
      seenAt < startOfMonth(nextMonth(month)).toISOString() && known[month]?.frozenAt !== closedAt,
  )
  if (early.length === 0 || !isWithinJump(ctx)) return
  const noted = early.map(({ month, frozenAt: closedAt }) => [month, { frozenAt: closedAt, seenAt }])
  writeSetting(ctx, earlyKey, { ...known, ...Object.fromEntries(noted) } satisfies ClosedEarly)
}

export const forgetClosedEarly = (ctx: Clocks): void => writeSetting(ctx, earlyKey, {} satisfies ClosedEarly)

/** Months recorded as closed too early whose `frozenAt` is in the past by now. */
const closedEarly = (ctx: Clocks) =>
  Object.entries(readClosedEarly(ctx)).flatMap(([month, { frozenAt: closedAt, seenAt }]) => {
    const closed = closedMonth.get(ctx, { month })
    const isPassed = closed?.frozenAt === closedAt && closedAt <= soonAfterNow(ctx)
    return isPassed ? [{ ...closed, seenAt }] : []
  })

/** Months an owner may reopen, oldest first. `seenAt` is a time the clock showed after closing them, but before `frozenAt`. */
export function monthsInDoubt(ctx: Clocks) {
  const seenAt = ctx.billingNow().toISOString()
  const after = closedAfterNow(ctx).map((closed) => ({ ...closed, seenAt }))
  return [...closedEarly(ctx), ...after].sort((one, other) => one.month.localeCompare(other.month))
}

/** `targetId` is what has the index. */
export const clockTarget = 'clock'
const entryOrder = writtenOrder(auditEntries)

/** When an owner last confirmed the clock. Older entries no longer count as evidence against it. */
const lastConfirmed = preparedQuery()((db) =>
  db
    .select({
      entry: entryOrder.mapWith(Number),
      lastInvoice: jsonFieldOf(auditEntries.detail, 'lastInvoice').mapWith(Number),
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
    .select({ at: invoices.createdAt })
    .from(invoices)
    // A `+` keeps SQLite off the number's index: by time, the first row is nearly always the one.
    .where(sql`+${invoices.sequence} > ${sequence}`)
    .orderBy(desc(invoices.createdAt))
    .limit(1),
)

/** The time of the newest entry, if it's too far after now. The billing clock dates the invoices. */
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

export function readClock(ctx: Clocks): RevenueClock {
  const facts = {
    now: ctx.billingNow().toISOString(),
    months: monthsInDoubt(ctx).map(({ month }) => month),
    early: closedEarly(ctx).map(({ month }) => month),
    newest: newestAfterNow(ctx),
    providerDoubt: providerDoubt(ctx),
  }
  return { ...facts, doubt: doubtOf(facts) }
}

/** Why the clock looks wrong, with both possible causes and what to do about each. Null if it looks right. */
export const clockDoubt = (ctx: Clocks): string | null => readClock(ctx).doubt

function doubtOf({ now, months, early, newest, providerDoubt }: Omit<RevenueClock, 'doubt'>): string | null {
  if (providerDoubt !== null) return providerDoubt
  if (early.length > 0) {
    const closed = plural(early.length, 'month was', 'months were')
    return `${closed} closed too early by a clock that was ahead: ${early.join(', ')}. Reopen: alliance mrr reopen. If they really were over, keep them closed: alliance mrr reopen --keep.`
  }
  if (months.length > 0) {
    const closed = plural(months.length, 'month is', 'months are')
    return `${closed} closed at a time after now, ${formatMoment(now)}. If the time is wrong, correct the clock. If it’s right, the clock was ahead: alliance mrr reopen.`
  }
  if (newest === null) return null
  return `The newest entry is of ${formatMoment(newest)}, after now, ${formatMoment(now)}, so months and reports wait. If the time is wrong, correct the clock. If it’s right, the clock was ahead: alliance mrr reopen.`
}

const heldKey = 'held_bookings'

/** While a month is closed too early or after now, we can't tell which month a booking belongs to, and it can't move later. */
export const areBookingsHeld = (ctx: Clocks): boolean =>
  closedAfter.get(ctx, { at: soonAfterNow(ctx) }) !== undefined || closedEarly(ctx).length > 0

/** Like `areBookingsHeld`, but also records that something was held, so that we write it later. */
export function holdBookings(ctx: Context): boolean {
  const isHeld = areBookingsHeld(ctx)
  if (isHeld && readSetting(ctx, heldKey)?.value !== true) writeSetting(ctx, heldKey, true)
  return isHeld
}

/** Whether we held bookings that we can write now. */
export const areBookingsDue = (ctx: Context): boolean =>
  readSetting(ctx, heldKey)?.value === true && !areBookingsHeld(ctx)

export const endHold = (ctx: Context): void => writeSetting(ctx, heldKey, false)
