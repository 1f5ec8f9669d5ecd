import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import type { LinkedCall, LinkedCallSlots, MoveCallRequest } from '#shared/contract/calendar.ts'
import type { BookingStatus } from '#shared/contract/coaching-booking.ts'
import { assertCallLeft, assertToCome, changeCall } from './booking-service.ts'
import { callOfToken } from './link-service.ts'
import { queueCancelledMails, queueMissedMail, queueMovedMails } from './mails.ts'
import { busyBetween, type Call, coachesOf, coachName, deleteExpiredHolds, findCall } from './queries.ts'
import { assertFree, findSlots, slotTaken, timeOf, withinAllowance } from './slots-service.ts'

export function readLinkedCall(ctx: Context, token: string): LinkedCall {
  return toLinkedCall(ctx, callOfToken(ctx, token))
}

export const toLinkedCall = (ctx: Context, call: Call): LinkedCall => ({
  kind: call.kind,
  coach: call.coach,
  coachName: coachName(ctx, call.coach),
  startsAt: call.startsAt,
  minutes: call.duration,
  phone: call.phone,
  state: stateOf(ctx, call),
  heldUntil: call.heldUntil,
})

function stateOf(ctx: Context, call: Call): LinkedCall['state'] {
  if (call.status === 'cancelled') return 'cancelled'
  if (call.status !== 'scheduled' || Date.parse(call.startsAt) <= ctx.billingNow().getTime()) return 'ended'
  return call.heldUntil === null ? 'booked' : 'held'
}

/** Where a link's call can move: same kind, coach and length, in a month with a call left. */
export function slotsForMove(ctx: Context, token: string): LinkedCallSlots {
  const call = callOfToken(ctx, token)
  assertToCome(ctx, call)
  const { id: except, kind, coach, duration: minutes, userId } = call
  const free = findSlots(ctx, { kind, minutes, coach, except })
  return userId === null ? free : { ...free, slots: withinAllowance(ctx, { userId, kind, except }, free.slots) }
}

/** Moves a link's call. Does nothing if it's there already. */
export function moveLinkedCall(ctx: Context, { token, startsAt }: { token: string; startsAt: string }): LinkedCall {
  return transact(ctx, () => {
    const call = callOfToken(ctx, token)
    assertToCome(ctx, call)
    if (call.heldUntil !== null) throw new AppError('conflict', 'Confirm this call first.')
    if (Date.parse(call.startsAt) === Date.parse(startsAt)) return toLinkedCall(ctx, call)
    deleteExpiredHolds(ctx)
    const { id, kind, coach, duration: minutes, userId } = call
    if (userId !== null) assertCallLeft(ctx, { userId, kind, startsAt, except: id })
    assertFree(ctx, { kind, coach, startsAt, minutes, except: id })
    return toLinkedCall(ctx, moveBooking(ctx, call, { startsAt, coach }))
  })
}

function moveBooking(ctx: Context, call: Call, { startsAt, coach }: { startsAt: string; coach: string }): Call {
  const moved = changeCall(ctx, call.id, {
    ...timeOf(ctx, startsAt, call.duration),
    coach,
    moves: call.moves + 1,
  })
  queueMovedMails(ctx, { before: call, after: moved })
  return moved
}

/** Cancels a link's call, held or booked. Safe to repeat. */
export function cancelLinkedCall(ctx: Context, token: string): LinkedCall {
  return transact(ctx, () => {
    const call = callOfToken(ctx, token)
    if (call.status === 'cancelled') return toLinkedCall(ctx, call)
    assertToCome(ctx, call)
    return toLinkedCall(ctx, cancelBooking(ctx, call))
  })
}

/** Releasing a hold mails no one. */
function cancelBooking(ctx: Context, call: Call): Call {
  const isHeld = call.heldUntil !== null
  const cancelled = changeCall(ctx, call.id, {
    status: 'cancelled',
    moves: call.moves + 1,
    heldUntil: null,
    heldFrom: null,
  })
  if (!isHeld) queueCancelledMails(ctx, cancelled)
  return cancelled
}

/** An owner may move a call to any time the coach is free. */
export function moveCall(ctx: Context, owner: Owner, { id, startsAt, coach }: MoveCallRequest & { id: string }): Call {
  return transact(ctx, () => {
    const call = scheduledCall(ctx, id)
    const to = { startsAt: new Date(startsAt).toISOString(), coach: coach ?? call.coach }
    if (!coachesOf(ctx).some((one) => one.id === to.coach)) throw notFound('This coach')
    if (call.startsAt === to.startsAt && call.coach === to.coach) return call
    if (Date.parse(to.startsAt) <= ctx.billingNow().getTime())
      throw new AppError('invalid', 'That time has passed.', {
        fields: { startsAt: 'Choose a time in the future.' },
      })
    deleteExpiredHolds(ctx)
    const { endsAt } = timeOf(ctx, to.startsAt, call.duration)
    assertUnshared(ctx, call, { ...to, endsAt })
    const detail = { from: call.startsAt, to: to.startsAt, coach: to.coach }
    audit(ctx, owner.actor, 'call.moved', { targetId: id, detail })
    return moveBooking(ctx, call, to)
  })
}

/** An owner sets a booking's status. Cancelling mails the person, and reinstating needs the time to be free. */
export function changeStatus(ctx: Context, id: string, status: BookingStatus): void {
  const call = findCall(ctx, id)
  if (call === undefined) {
    const updatedAt = ctx.now().toISOString()
    ctx.db.update(coachingBookings).set({ status, updatedAt }).where(eq(coachingBookings.id, id)).run()
    return
  }
  if (status === 'scheduled') {
    deleteExpiredHolds(ctx)
    assertUnshared(ctx, call, call)
  }
  if (status === 'cancelled') cancelBooking(ctx, call)
  else if (status === 'no-show') markMissed(ctx, call)
  // Cancelling made a queued reminder lapse.
  else if (status === 'scheduled' && call.status === 'cancelled') changeCall(ctx, id, { status, reminderSent: false })
  else changeCall(ctx, id, { status })
}

/** Mails the person if the call has begun. Marked earlier, by mistake or in advance, it mails no one. */
function markMissed(ctx: Context, call: Call): void {
  const marked = changeCall(ctx, call.id, { status: 'no-show' })
  if (call.heldUntil === null && Date.parse(call.startsAt) <= ctx.billingNow().getTime()) queueMissedMail(ctx, marked)
}

/** No other call overlaps the time. */
function assertUnshared(ctx: Context, { id }: Call, to: { coach: string; startsAt: string; endsAt: string }): void {
  const range = { from: new Date(to.startsAt), to: new Date(to.endsAt), except: id }
  if (busyBetween(ctx, range).some((other) => other.coach === to.coach)) throw slotTaken([])
}

export function cancelCall(ctx: Context, owner: Owner, id: string): Call {
  return transact(ctx, () => {
    const call = scheduledCall(ctx, id)
    audit(ctx, owner.actor, 'call.cancelled', { targetId: id, detail: { startsAt: call.startsAt } })
    return cancelBooking(ctx, call)
  })
}

const settledTexts: Record<Exclude<BookingStatus, 'scheduled'>, string> = {
  completed: 'This call has already happened.',
  cancelled: 'This call has already been cancelled.',
  'no-show': 'They missed this call, so you can’t change it.',
}

function scheduledCall(ctx: Context, id: string): Call {
  const call = findCall(ctx, id)
  if (call === undefined) throw notFound('This call')
  if (call.status !== 'scheduled') throw new AppError('conflict', settledTexts[call.status])
  return call
}
