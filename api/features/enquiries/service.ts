import type { Context } from '#api/context.ts'
import { coachingApplications, coachingBookings, contacts } from '#api/db/schema/forms.ts'
import { onceByKey } from '#api/http/idempotency.ts'
import { CoachingApplicationAnswer, type CoachingApplicationRequest } from '#shared/contract/coaching.ts'
import { CoachingBookingAnswer, type CoachingBookingRequest } from '#shared/contract/coaching-booking.ts'
import { ContactAnswer, type ContactRequest } from '#shared/contract/contact.ts'
import { tomorrowInLondon } from '#shared/rules/london.ts'
import { aboutApplication, aboutBooking, aboutMessage } from './enquiry.ts'
import { mailEnquiry } from './mail.ts'

/** Takes a coaching application in. What the trap caught is kept and answered alike, but nobody is mailed about it. */
export function applyForCoaching(
  ctx: Context,
  body: CoachingApplicationRequest,
  key: string | undefined,
): CoachingApplicationAnswer {
  return onceByKey(ctx, { scope: 'coaching-application', key, body }, CoachingApplicationAnswer, () => {
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
): CoachingBookingAnswer {
  return onceByKey(ctx, { scope: 'coaching-bookings', key, body }, CoachingBookingAnswer, () => {
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
export function leaveMessage(ctx: Context, body: ContactRequest, key: string | undefined): ContactAnswer {
  return onceByKey(ctx, { scope: 'contact', key, body }, ContactAnswer, () => {
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
