import type { Context } from '#api/context.ts'
import { AppError, notFound } from '#api/errors.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import type { Person } from '#api/identity/person.ts'
import type { BookedCall, CallRules, CallSlotsQuery, CallSlotsResponse } from '#shared/contract/calendar.ts'
import { type CallKind, isMemberCall, weekdays } from '#shared/contract/call-kind.ts'
import type { CallSlot } from '#shared/contract/call-slot.ts'
import { type Busy, freeSlots } from '#shared/rules/call-slots.ts'
import { addDays, londonDay, londonInstant, londonMonth } from '#shared/rules/london.ts'
import { linkOf } from './link-service.ts'
import {
  busyBetween,
  type Call,
  callsToCome,
  coachesOf,
  coachName,
  listDaysFrom,
  listHours,
  listRules,
  monthOfCalls,
} from './queries.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** The most days per request. */
const longestRange = 62
/** The longest call with the longest buffers, so how far outside calls can reach into a day. */
const reach = 12 * 60 * minute

type Wanted = {
  kind: CallKind
  minutes: number
  coach?: string | undefined
  from?: string | undefined
  to?: string | undefined
  /** A booking being moved doesn't block itself. */
  except?: string | undefined
}

/** Free times of coaches who take such calls, in order of time, and the last bookable day. */
export function findSlots(ctx: Context, { kind, minutes, coach, from, to, except }: Wanted) {
  const allRules = listRules(ctx)
  const rules = ruleOf(allRules, kind)
  const now = ctx.billingNow()
  const earliest = new Date(now.getTime() + rules.leadMinutes * minute)
  const lastDay = addDays(londonDay(now), rules.horizonDays)
  const firstDay = latest(from ?? '', londonDay(earliest))
  const until = [to ?? lastDay, lastDay, addDays(firstDay, longestRange - 1)].toSorted()[0] ?? lastDay
  if (firstDay > until) return { slots: [], lastDay }
  const busy = busyOf(ctx, allRules, { from: firstDay, to: until, except })
  const [hours, exceptions] = [listHours(ctx), listDaysFrom(ctx, firstDay)]
  const slots = coachesOf(ctx)
    .filter(({ id }) => coach === undefined || id === coach)
    .flatMap(({ id }) =>
      freeSlots({
        firstDay,
        lastDay: until,
        earliest,
        rules: { ...rules, minutes },
        hours: hours
          .filter((row) => row.coach === id && row.kind === kind)
          .map((row) => ({ weekday: weekdays.indexOf(row.weekday), windows: row.windows })),
        exceptions: exceptions.filter((row) => row.coach === null || row.coach === id),
        busy: busy.get(id) ?? [],
      }).map((at): CallSlot => ({ coach: id, startsAt: at.toISOString() })),
    )
  return { slots: slots.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt)), lastDay }
}

const latest = (one: string, other: string) => (one > other ? one : other)

function busyOf(ctx: Context, rules: CallRules[], range: { from: string; to: string; except?: string | undefined }) {
  const from = new Date(londonInstant(range.from, '00:00').getTime() - reach)
  const to = new Date(londonInstant(addDays(range.to, 1), '00:00').getTime() + reach)
  const busy = new Map<string, Busy[]>()
  for (const { coach, kind, startsAt, endsAt } of busyBetween(ctx, { from, to, except: range.except })) {
    if (coach === null || kind === null || startsAt === null || endsAt === null) continue
    const buffer = ruleOf(rules, kind).bufferMinutes * minute
    const call = { from: Date.parse(startsAt), to: Date.parse(endsAt), buffer }
    busy.set(coach, [...(busy.get(coach) ?? []), call])
  }
  return busy
}

function ruleOf(rules: CallRules[], kind: CallKind): CallRules {
  const rule = rules.find((one) => one.kind === kind)
  if (rule === undefined) throw notFound('This kind of call')
  return rule
}

export function lengthFor(
  ctx: Context,
  kind: CallKind,
  person: Person | null,
): { minutes: number; isIncluded: boolean } {
  const { minutes } = ruleOf(listRules(ctx), kind)
  const tier = person?.access.tier ? tierBySlug(ctx, person.access.tier) : undefined
  if (kind !== 'coaching' || tier === undefined) return { minutes, isIncluded: true }
  return { minutes: tier.callDuration ?? minutes, isIncluded: tier.callDuration !== null }
}

/** What can be booked, and by whom. Visitors see members' times too. */
export function readSlots(
  ctx: Context,
  person: Person | null,
  { kind, ...query }: CallSlotsQuery & { kind: CallKind },
): CallSlotsResponse {
  const { minutes, isIncluded } = lengthFor(ctx, kind, person)
  const { slots, lastDay } = findSlots(ctx, { kind, minutes, ...query })
  if (!isMemberCall(kind)) return { kind, minutes, standing: 'open', lastDay, slots, booked: [] }
  if (person === null) return { kind, minutes, standing: 'login', lastDay, slots, booked: [] }
  const booked = callsToCome(ctx, person.id, kind).map((call) => toBookedCall(ctx, call))
  if (!person.access.hasAccess && !person.isAdmin)
    return { kind, minutes, standing: 'no-access', lastDay, slots: [], booked }
  if (!isIncluded) return { kind, minutes, standing: 'not-included', lastDay, slots: [], booked }
  const bookable = withinAllowance(ctx, { userId: person.id, kind }, slots)
  const standing = slots.length > 0 && bookable.length === 0 ? 'used' : 'open'
  const [first] = slots
  const usedMonth = first && first !== bookable[0] ? londonMonth(new Date(first.startsAt)) : undefined
  const { phone } = person
  return {
    kind,
    minutes,
    standing,
    lastDay,
    slots: bookable,
    booked,
    ...(usedMonth && { usedMonth }),
    ...(phone && { phone }),
  }
}

/** Leaves out months in which the member has used all their calls. */
export function withinAllowance(
  ctx: Context,
  asked: { userId: string; kind: CallKind; except?: string },
  slots: CallSlot[],
): CallSlot[] {
  const months = new Map<string, boolean>()
  return slots.filter(({ startsAt }) => {
    const month = londonMonth(new Date(startsAt))
    const isLeft = months.get(month) ?? hasCallLeft(ctx, { ...asked, month })
    months.set(month, isLeft)
    return isLeft
  })
}

export function hasCallLeft(ctx: Context, asked: Parameters<typeof monthOfCalls>[1]): boolean {
  const { used, allowed } = monthOfCalls(ctx, asked)
  return used < allowed
}

/** Refuses a time that can't be booked and says which can. Call it in the transaction that takes the time. */
export function assertFree(ctx: Context, wanted: Wanted & CallSlot): void {
  const on = londonDay(new Date(wanted.startsAt))
  const { slots } = findSlots(ctx, { ...wanted, from: addDays(on, -1), to: addDays(on, 1) })
  const startsAt = new Date(wanted.startsAt).toISOString()
  if (slots.some((slot) => slot.startsAt === startsAt)) return
  throw slotTaken(nextSlots(ctx, wanted))
}

const nextShown = 6

/** The next free times from the wanted one on, or else the first available. */
function nextSlots(ctx: Context, { startsAt, ...wanted }: Wanted & CallSlot): CallSlot[] {
  const from = londonDay(new Date(startsAt))
  const later = findSlots(ctx, { ...wanted, from }).slots.filter((slot) => slot.startsAt >= startsAt)
  return (later.length > 0 ? later : findSlots(ctx, wanted).slots).slice(0, nextShown)
}

export const slotTaken = (slots: CallSlot[]) =>
  new AppError('slot_taken', 'Someone’s just taken that time. Choose another.', { slots })

export const toBookedCall = (ctx: Context, call: Call): BookedCall => ({
  kind: call.kind,
  coach: call.coach,
  coachName: coachName(ctx, call.coach),
  startsAt: call.startsAt,
  minutes: call.duration,
  phone: call.phone,
  link: linkOf(ctx, call),
})

export function timeOf(ctx: Context, startsAt: string, minutes: number) {
  const [start, end] = [new Date(startsAt), new Date(Date.parse(startsAt) + minutes * minute)]
  return {
    startsAt: start.toISOString(),
    endsAt: end.toISOString(),
    bookingDate: londonDay(start),
    duration: minutes,
    // Someone who books a day ahead needs no reminder of what they've just confirmed.
    reminderSent: start.getTime() - ctx.billingNow().getTime() <= day,
  }
}

export function assertCoach(ctx: Context, id: string): void {
  if (!coachesOf(ctx).some((coach) => coach.id === id)) throw notFound('This coach')
}
