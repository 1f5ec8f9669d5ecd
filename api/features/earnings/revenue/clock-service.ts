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
import { dayMs } from '#shared/rules/durations.ts'
import { formatMoment, nextMonth, startOfMonth } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { isWithinJump } from './jump-service.ts'
import { providerDoubt } from './provider-clock-service.ts'

/** Entries further past now than this cast doubt on the clock. A wrong time zone is off by less than a day. */
const setRightMs = dayMs

export type Clocks = HasDb & Pick<Context, 'now' | 'billingNow'>

const frozenAfter = preparedQuery<{ at: string }>()((db, { at }) =>
  db.select().from(revenueMonths).where(gt(revenueMonths.frozenAt, at)).orderBy(asc(revenueMonths.month)),
)

/** Normal corrections move a clock by seconds, and two processes may read slightly different times. */
const setBackMs = 10 * 60_000

const soonAfterNow = (ctx: Clocks) => new Date(ctx.billingNow().getTime() + setBackMs).toISOString()

/** Months frozen at a time after now, oldest first. The clock is behind now, or was ahead then: no row tells which. */
const frozenAfterNow = (ctx: Clocks) => frozenAfter.all(ctx, { at: soonAfterNow(ctx) })

const earlyKey = 'months_frozen_early'
/** By month: when it was frozen too early, and a later reading of the clock from before the month's end. */
const FrozenEarly = v.record(v.string(), v.object({ frozenAt: v.string(), seenAt: v.string() }))
type FrozenEarly = v.InferOutput<typeof FrozenEarly>

const frozenMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select().from(revenueMonths).where(eq(revenueMonths.month, month)),
)

function readFrozenEarly(ctx: HasDb): FrozenEarly {
  const parsed = v.safeParse(FrozenEarly, readSetting(ctx, earlyKey)?.value)
  return parsed.success ? parsed.output : {}
}

/** Records months a fast clock froze too early. Once the time passes `frozenAt`, nothing shows it. */
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

/** Months recorded as frozen too early whose `frozenAt` is in the past by now. */
const frozenEarly = (ctx: Clocks) =>
  Object.entries(readFrozenEarly(ctx)).flatMap(([month, { frozenAt, seenAt }]) => {
    const frozen = frozenMonth.get(ctx, { month })
    const isPassed = frozen?.frozenAt === frozenAt && frozenAt <= soonAfterNow(ctx)
    return isPassed ? [{ ...frozen, seenAt }] : []
  })

/** Months an owner may reopen, oldest first. `seenAt` is a time the clock showed after freezing them, but before `frozenAt`. */
export function monthsInDoubt(ctx: Clocks) {
  const seenAt = ctx.billingNow().toISOString()
  const after = frozenAfterNow(ctx).map((frozen) => ({ ...frozen, seenAt }))
  return [...frozenEarly(ctx), ...after].sort((one, other) => one.month.localeCompare(other.month))
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
    .select({ at: max(invoices.createdAt) })
    .from(invoices)
    .where(gt(invoices.sequence, sequence)),
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
    early: frozenEarly(ctx).map(({ month }) => month),
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
    const frozen = plural(early.length, 'month was', 'months were')
    return `${frozen} closed too early by a clock that was ahead: ${early.join(', ')}. Reopen: alliance mrr reopen. If they really were over, keep them closed: alliance mrr reopen --keep.`
  }
  if (months.length > 0) {
    const frozen = plural(months.length, 'month is', 'months are')
    return `${frozen} closed at a time after now, ${formatMoment(now)}. If the time is wrong, correct the clock. If it’s right, the clock was ahead: alliance mrr reopen.`
  }
  if (newest === null) return null
  return `The newest entry is of ${formatMoment(newest)}, after now, ${formatMoment(now)}, so months and reports wait. If the time is wrong, correct the clock. If it’s right, the clock was ahead: alliance mrr reopen.`
}

const heldKey = 'held_bookings'

/** While a month is frozen too early or after now, we can't tell which month a booking belongs to, and it can't move later. */
export const areBookingsHeld = (ctx: Clocks): boolean =>
  frozenAfter.get(ctx, { at: soonAfterNow(ctx) }) !== undefined || frozenEarly(ctx).length > 0

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
