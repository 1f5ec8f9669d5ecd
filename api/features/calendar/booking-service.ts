import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { AppError } from '#api/errors.ts'
import type { Member } from '#api/identity/person.ts'
import { customerNetwork } from '#api/network-address.ts'
import { keyedHash } from '#api/secrets.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import {
  type MemberCallRequest,
  MemberCallResponse,
  type VisitorCallRequest,
  VisitorCallResponse,
} from '#shared/contract/calendar.ts'
import type { CallKind } from '#shared/contract/call-kind.ts'
import { londonDay, londonMonth } from '#shared/rules/london.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { callOfToken } from './link-service.ts'
import { queueBookedMails, queueHoldMail } from './mails.ts'
import { type Call, countOpenCalls, deleteExpiredHolds, findCall } from './queries.ts'
import { assertFree, hasCallLeft, lengthFor, timeOf, toBookedCall } from './slots-service.ts'

const holdMs = 30 * 60_000
const mostOpenCalls = 2
/** An IPv6 customer's 65,536 addresses could otherwise hold all free times. A mobile network may share this many. */
const mostFromNetwork = 10

/** Books a member's call straight away, within the length and number their tier includes. */
export function bookMemberCall(
  ctx: Context,
  member: Member,
  body: MemberCallRequest,
  key: string | undefined,
): MemberCallResponse {
  limitPublicForm(ctx, 'member-calls', member.id)
  return runOncePerKey(ctx, { scope: `member-calls:${member.id}`, key, body }, MemberCallResponse, () => {
    const { kind, coach, startsAt, phone = member.phone, notes } = body
    const { minutes, isIncluded } = lengthFor(ctx, kind, member)
    if (!isIncluded)
      throw new AppError('forbidden', 'Your tier doesn’t include coaching calls. You can change tier in Billing.')
    assertCallLeft(ctx, { userId: member.id, kind, startsAt })
    const name = nameOrEmail(member)
    const contact = { name, email: member.email, phone, businessName: member.businessName, notes }
    const call = insertCall(ctx, { kind, coach, startsAt, minutes }, { ...contact, userId: member.id })
    queueBookedMails(ctx, call)
    return { success: true, call: toBookedCall(ctx, call) }
  })
}

/** One call a month, plus any an owner has added. */
export function assertCallLeft(
  ctx: Context,
  { startsAt, ...asked }: { userId: string; kind: CallKind; startsAt: string; except?: string },
): void {
  if (hasCallLeft(ctx, { ...asked, month: londonMonth(new Date(startsAt)) })) return
  throw new AppError('conflict', 'You’ve already booked your call for that month. Move it, or choose another month.')
}

/** Holds a time until the visitor opens the link, which proves the address. A honeypot hit is kept without taking a time. */
export function holdVisitorCall(
  ctx: Context,
  { body, address }: { body: VisitorCallRequest; address: string },
  key: string | undefined,
): VisitorCallResponse {
  limitPublicForm(ctx, 'call-holds', address)
  return runOncePerKey(ctx, { scope: 'call-holds', key, body }, VisitorCallResponse, () => {
    const { kind, coach, startsAt, homepage, ...contact } = body
    const heldUntil = new Date(ctx.now().getTime() + holdMs).toISOString()
    if (homepage.trim() !== '') {
      keepAsSpam(ctx, body)
      return { success: true, heldUntil }
    }
    const heldFrom = heldFromOf(ctx, address)
    assertFewOpen(ctx, { email: body.email, heldFrom })
    const { minutes } = lengthFor(ctx, kind, null)
    const call = insertCall(ctx, { kind, coach, startsAt, minutes }, { ...contact, heldUntil, heldFrom })
    queueHoldMail(ctx, call)
    return { success: true, heldUntil }
  })
}

/** Network and address, so that each can be counted. */
const heldFromOf = (ctx: Context, address: string): string =>
  [customerNetwork(address), address].map((of) => keyedHash(ctx, 'call-hold', of)).join('.')

function assertFewOpen(ctx: Context, asked: { email: string; heldFrom: string }): void {
  const { ofEmail, ofAddress, ofNetwork } = countOpenCalls(ctx, asked)
  if (Math.max(ofEmail, ofAddress) >= mostOpenCalls) {
    const message = 'You’ve already got two calls. Confirm, move or cancel them from the emails we sent you.'
    throw new AppError('conflict', message)
  }
  if (ofNetwork >= mostFromNetwork) {
    const message = 'Too many calls are being booked from your network. Try again in half an hour.'
    throw new AppError('conflict', message)
  }
}

function keepAsSpam(ctx: Context, { name, email, phone, notes, startsAt }: VisitorCallRequest): void {
  const now = ctx.now().toISOString()
  insertRow(ctx, coachingBookings, {
    id: ctx.newId(),
    name,
    email,
    phone,
    notes,
    isSpam: true,
    createdAt: now,
    updatedAt: now,
    bookingDate: londonDay(new Date(startsAt)),
  })
}

type Time = { kind: CallKind; coach: string; startsAt: string; minutes: number }
type Contact = Pick<typeof coachingBookings.$inferInsert, 'name' | 'email' | 'phone' | 'businessName' | 'notes'> &
  Partial<Pick<typeof coachingBookings.$inferInsert, 'userId' | 'heldUntil' | 'heldFrom'>>

/** Takes the time or says which are free. Check and insert are one transaction, and a database constraint backs them up. */
function insertCall(ctx: Context, { kind, coach, startsAt, minutes }: Time, contact: Contact): Call {
  deleteExpiredHolds(ctx)
  assertFree(ctx, { kind, coach, startsAt, minutes })
  const [id, now] = [ctx.newId(), ctx.now().toISOString()]
  const row = { ...contact, ...timeOf(ctx, startsAt, minutes), id, kind, coach, createdAt: now, updatedAt: now }
  insertRow(ctx, coachingBookings, row)
  return readBack(ctx, id)
}

function readBack(ctx: Context, id: string): Call {
  const call = findCall(ctx, id)
  if (call === undefined) throw new Error('A call was not stored.')
  return call
}

/** Books the held time. Safe to repeat. */
export function confirmCall(ctx: Context, token: string): Call {
  return transact(ctx, () => {
    const call = callOfToken(ctx, token)
    assertToCome(ctx, call)
    if (call.heldUntil === null) return call
    changeCall(ctx, call.id, { heldUntil: null, heldFrom: null })
    const booked = readBack(ctx, call.id)
    queueBookedMails(ctx, booked)
    return booked
  })
}

/** A link expires when its call begins. */
export function assertToCome(ctx: Context, call: Call): void {
  if (call.status === 'cancelled') throw new AppError('conflict', 'This call was cancelled. Choose another time.')
  if (call.status !== 'scheduled' || Date.parse(call.startsAt) <= ctx.billingNow().getTime())
    throw new AppError('conflict', 'This call has started or is over. Choose another time.')
}

export function changeCall(ctx: Context, id: string, change: Partial<typeof coachingBookings.$inferInsert>): Call {
  const updatedAt = ctx.now().toISOString()
  ctx.db
    .update(coachingBookings)
    .set({ ...change, updatedAt })
    .where(eq(coachingBookings.id, id))
    .run()
  return readBack(ctx, id)
}
