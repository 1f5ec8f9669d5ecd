import { asc, desc, eq, gt, max, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { jsonFieldOf, writtenOrder } from '#api/db/expressions.ts'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { revenueMonths } from '#api/db/schema/revenue.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import type { RevenueClock } from '#shared/contract/revenue.ts'
import { formatLongDate, londonClock, nextMonth, startOfMonth } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { isWithinJump } from './jump-service.ts'
import { providerDoubt } from './provider-clock-service.ts'

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
const frozenAfterNow = (ctx: Clocks) => frozenAfter.all(ctx, { at: soonAfterNow(ctx) })

const earlyKey = 'months_frozen_early'
/** By month: which freezing was too early, and a time that the clock showed afterwards, before the month was over. */
const FrozenEarly = v.record(v.string(), v.object({ frozenAt: v.string(), seenAt: v.string() }))
type FrozenEarly = v.InferOutput<typeof FrozenEarly>

const frozenMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select().from(revenueMonths).where(eq(revenueMonths.month, month)),
)

function readFrozenEarly(ctx: HasDb): FrozenEarly {
  const parsed = v.safeParse(FrozenEarly, readSetting(ctx, earlyKey)?.value)
  return parsed.success ? parsed.output : {}
}

/**
 * Notes months that a clock that was ahead has frozen before their end, while the clock gives that away: later, when now has
 * passed the time at which they were frozen, nothing shows it any more.
 */
export function noteFrozenEarly(ctx: Clocks): void {
  const seenAt = ctx.billingNow().toISOString()
  const known = readFrozenEarly(ctx)
  const early = frozenAfterNow(ctx).filter(
    ({ month, frozenAt }) =>
      seenAt < startOfMonth(nextMonth(month)).toISOString() && known[month]?.frozenAt !== frozenAt,
  )
  if (early.length === 0 || !isWithinJump(ctx)) return
  const noted = early.map(({ month, frozenAt }) => [month, { frozenAt, seenAt }])
  writeSetting(ctx, earlyKey, { ...known, ...Object.fromEntries(noted) } satisfies FrozenEarly)
}

export const forgetFrozenEarly = (ctx: Clocks): void => writeSetting(ctx, earlyKey, {} satisfies FrozenEarly)

/** Months that were noted as frozen too early and that now has passed since. */
const frozenEarly = (ctx: Clocks) =>
  Object.entries(readFrozenEarly(ctx)).flatMap(([month, { frozenAt, seenAt }]) => {
    const frozen = frozenMonth.get(ctx, { month })
    const isPassed = frozen?.frozenAt === frozenAt && frozenAt <= soonAfterNow(ctx)
    return isPassed ? [{ ...frozen, seenAt }] : []
  })

/** Months that an owner may open, oldest first; `seenAt` is a time that the clock showed after it had frozen them, and before that time. */
export function monthsInDoubt(ctx: Clocks) {
  const seenAt = ctx.billingNow().toISOString()
  const after = frozenAfterNow(ctx).map((frozen) => ({ ...frozen, seenAt }))
  return [...frozenEarly(ctx), ...after].sort((one, other) => one.month.localeCompare(other.month))
}

/** By `targetId`, because there is an index on it. */
export const clockTarget = 'clock'
const entryOrder = writtenOrder(auditEntries)

/** The last time that an owner said that the clock is right: entries from before it say nothing against it any more. */
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

export function readClock(ctx: Clocks): RevenueClock {
  const facts = {
    now: ctx.billingNow().toISOString(),
    months: monthsInDoubt(ctx).map(({ month }) => month),
    early: frozenEarly(ctx).map(({ month }) => month),
    newest: newestAfterNow(ctx),
    providerDoubt: providerDoubt(ctx),
  }
  return { ...facts, doubt: doubtOf(facts) }
}

/** What speaks against the clock, with both causes and what is to be done about each; null where nothing does. */
export const clockDoubt = (ctx: Clocks): string | null => readClock(ctx).doubt

const moment = (at: string) => `${formatLongDate(at)}, ${londonClock(at)}`

function doubtOf({ now, months, early, newest, providerDoubt }: Omit<RevenueClock, 'doubt'>): string | null {
  if (providerDoubt !== null) return providerDoubt
  if (early.length > 0) {
    const frozen = plural(early.length, 'month was', 'months were')
    return `${frozen} closed too early by a clock that was ahead: ${early.join(', ')}. Reopen: alliance mrr reopen. If they really were over, keep them closed: alliance mrr reopen --keep.`
  }
  if (months.length > 0) {
    const frozen = plural(months.length, 'month is', 'months are')
    return `${frozen} closed at a time after now, ${moment(now)}. If the time is wrong, correct the clock. If it’s right, the clock was ahead: alliance mrr reopen.`
  }
  if (newest === null) return null
  return `The newest entry is of ${moment(newest)}, after now, ${moment(now)}, so months and reports wait. If the time is wrong, correct the clock. If it’s right, the clock was ahead: alliance mrr reopen.`
}

const heldKey = 'held_bookings'

/**
 * Whether what follows from a payment in the books waits. While months are frozen at a time after now, or were frozen too
 * early, nobody knows in which month it belongs, and what is booked is never moved.
 */
export const areBookingsHeld = (ctx: Clocks): boolean =>
  frozenAfter.get(ctx, { at: soonAfterNow(ctx) }) !== undefined || frozenEarly(ctx).length > 0

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
