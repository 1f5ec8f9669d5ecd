import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Owner } from '#api/http/session.ts'
import type { LinkedCall, LinkedCallSlots, MoveCallRequest } from '#shared/contract/calendar.ts'
import type { BookingStatus } from '#shared/contract/coaching-booking.ts'
import { assertCallLeft, assertToCome, changeCall } from './booking-service.ts'
import { callOfToken } from './link-service.ts'
import { queueCancelledMails, queueMissedMail, queueMovedMails } from './mails.ts'
import { busyBetween, type Call, coachesOf, coachName, deleteExpiredHolds, findCall } from './queries.ts'
import { assertFree, findSlots, slotTaken, timeOf, withinAllowance } from './slots-service.ts'

/** What the page of a link shows. */
export function readLinkedCall(ctx: Context, token: string): LinkedCall {
  return toLinkedCall(ctx, callOfToken(ctx, token))
}

export const toLinkedCall = (ctx: Context, call: Call): LinkedCall => ({
  kind: call.kind,
  coach: call.coach,
  coachName: coachName(ctx, call.coach),
  startsAt: call.startsAt,
  minutes: call.duration,
  state: stateOf(ctx, call),
  heldUntil: call.heldUntil,
})

function stateOf(ctx: Context, call: Call): LinkedCall['state'] {
  if (call.status === 'cancelled') return 'cancelled'
  if (call.status !== 'scheduled' || Date.parse(call.startsAt) <= ctx.billingNow().getTime()) return 'ended'
  return call.heldUntil === null ? 'booked' : 'held'
}

/** The times that the call of a link can be moved to: its own kind, coach and length, in a month that has a call left. */
export function slotsForMove(ctx: Context, token: string): LinkedCallSlots {
  const call = callOfToken(ctx, token)
  assertToCome(ctx, call)
  const { id: except, kind, coach, duration: minutes, userId } = call
  const free = findSlots(ctx, { kind, minutes, coach, except })
  return userId === null ? free : { ...free, slots: withinAllowance(ctx, { userId, kind, except }, free.slots) }
}

/** Moves the call of a link. Moved to where it is already, nothing happens. */
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

/** Cancels the call of a link, held or booked. A second press changes nothing. */
export function cancelLinkedCall(ctx: Context, token: string): LinkedCall {
  return transact(ctx, () => {
    const call = callOfToken(ctx, token)
    if (call.status === 'cancelled') return toLinkedCall(ctx, call)
    assertToCome(ctx, call)
    return toLinkedCall(ctx, cancelBooking(ctx, call))
  })
}

/** A time that was only held is given back without a word. */
function cancelBooking(ctx: Context, call: Call): Call {
  const isHeld = call.heldUntil !== null
  const cancelled = changeCall(ctx, call.id, {
    ...{ status: 'cancelled', moves: call.moves + 1, heldUntil: null, heldFrom: null },
  })
  if (!isHeld) queueCancelledMails(ctx, cancelled)
  return cancelled
}

/** An owner moves a call to any time at which the coach has no other. */
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

/** An owner sets a booking's status. A call that is cancelled so is told to its person, and comes back only to a free time. */
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
  // A reminder that still waited to be sent has lapsed with the cancelling.
  else if (status === 'scheduled' && call.status === 'cancelled') changeCall(ctx, id, { status, reminderSent: false })
  else changeCall(ctx, id, { status })
}

/** Said to the person once the call has begun; marked before, by mistake or ahead of time, nobody hears of it. */
function markMissed(ctx: Context, call: Call): void {
  const marked = changeCall(ctx, call.id, { status: 'no-show' })
  if (call.heldUntil === null && Date.parse(call.startsAt) <= ctx.billingNow().getTime()) queueMissedMail(ctx, marked)
}

/** Nobody else has any part of the time. */
function assertUnshared(ctx: Context, { id }: Call, to: { coach: string; startsAt: string; endsAt: string }): void {
  const range = { from: new Date(to.startsAt), to: new Date(to.endsAt), except: id }
  if (busyBetween(ctx, range).some((other) => other.coach === to.coach)) throw slotTaken([])
}

/** An owner cancels a call; its person is mailed. */
export function cancelCall(ctx: Context, owner: Owner, id: string): Call {
  return transact(ctx, () => {
    const call = scheduledCall(ctx, id)
    audit(ctx, owner.actor, 'call.cancelled', { targetId: id, detail: { startsAt: call.startsAt } })
    return cancelBooking(ctx, call)
  })
}

function scheduledCall(ctx: Context, id: string): Call {
  const call = findCall(ctx, id)
  if (call === undefined) throw notFound('This call')
  if (call.status !== 'scheduled') throw new AppError('conflict', `This call is already ${call.status}.`)
  return call
}
