import type { Context } from '#api/context.ts'
import { coachingApplications, coachingBookings, contacts } from '#api/db/schema/forms.ts'
import { runOncePerKey } from '#api/http/idempotency.ts'
import { type CoachingApplicationRequest, CoachingApplicationResponse } from '#shared/contract/coaching.ts'
import { type CoachingBookingRequest, CoachingBookingResponse } from '#shared/contract/coaching-booking.ts'
import { type ContactRequest, ContactResponse } from '#shared/contract/contact.ts'
import { tomorrowInLondon } from '#shared/rules/london.ts'
import { aboutApplication, aboutBooking, aboutMessage } from './enquiry.ts'
import { mailEnquiry } from './mail.ts'

/** Takes a coaching application in. What the trap caught is kept and answered alike, but nobody is mailed about it. */
export function applyForCoaching(
  ctx: Context,
  body: CoachingApplicationRequest,
  key: string | undefined,
): CoachingApplicationResponse {
  return runOncePerKey(ctx, { scope: 'coaching-application', key, body }, CoachingApplicationResponse, () => {
    const { homepage, ...form } = body
    const [id, receivedAt, isSpam] = [ctx.newId(), ctx.now().toISOString(), isCaught(homepage)]
    ctx.db
      .insert(coachingApplications)
      .values({ ...form, id, isSpam, createdAt: receivedAt })
      .run()
    if (!isSpam) mailEnquiry(ctx, aboutApplication(form, { id, receivedAt }))
    return { success: true, id, status: 'pending', receivedAt }
  })
}

/**
 * Takes a call booking in, always for tomorrow as of now. A phone may have kept it overnight, or its clock be wrong; no
 * caller is turned away for that.
 */
export function bookCoachingCall(
  ctx: Context,
  body: CoachingBookingRequest,
  key: string | undefined,
): CoachingBookingResponse {
  return runOncePerKey(ctx, { scope: 'coaching-bookings', key, body }, CoachingBookingResponse, () => {
    const { homepage, ...sent } = body
    const form = { ...sent, bookingDate: tomorrowInLondon(ctx.now()) }
    const [id, receivedAt, isSpam] = [ctx.newId(), ctx.now().toISOString(), isCaught(homepage)]
    ctx.db
      .insert(coachingBookings)
      .values({ ...form, id, isSpam, createdAt: receivedAt, updatedAt: receivedAt })
      .run()
    if (!isSpam) mailEnquiry(ctx, aboutBooking(form, { id, receivedAt }))
    return { success: true, id, status: 'scheduled', receivedAt }
  })
}

/** Takes a message of the contact form in. */
export function leaveMessage(ctx: Context, body: ContactRequest, key: string | undefined): ContactResponse {
  return runOncePerKey(ctx, { scope: 'contact', key, body }, ContactResponse, () => {
    const { homepage, ...form } = body
    const [id, receivedAt, isSpam] = [ctx.newId(), ctx.now().toISOString(), isCaught(homepage)]
    ctx.db
      .insert(contacts)
      .values({ ...form, id, isSpam, createdAt: receivedAt })
      .run()
    if (!isSpam) mailEnquiry(ctx, aboutMessage(form, { id, receivedAt }))
    return { success: true, id, receivedAt }
  })
}

const isCaught = (homepage: string) => homepage.trim() !== ''
