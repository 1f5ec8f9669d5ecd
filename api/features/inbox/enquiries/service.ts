import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { coachingApplications, coachingBookings, contacts } from '#api/db/schema/forms.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { type CoachingApplicationRequest, CoachingApplicationResponse } from '#shared/contract/coaching.ts'
import { type CoachingBookingRequest, CoachingBookingResponse } from '#shared/contract/coaching-booking.ts'
import { type ContactRequest, ContactResponse } from '#shared/contract/contact.ts'
import { tomorrowInLondon } from '#shared/rules/london.ts'
import { applicationEnquiry, bookingEnquiry, contactEnquiry, queueEnquiryMails } from './mails.ts'

/** Stores a coaching application. A honeypot hit is stored and acknowledged the same, but mails no one. */
export function applyForCoaching(
  ctx: Context,
  body: CoachingApplicationRequest,
  key: string | undefined,
): CoachingApplicationResponse {
  return runOncePerKey(ctx, { scope: 'coaching-application', key, body }, CoachingApplicationResponse, () => {
    const { homepage, ...form } = body
    const [id, receivedAt, isSpam] = [ctx.newId(), ctx.now().toISOString(), isSpamTrapFilled(homepage)]
    insertRow(ctx, coachingApplications, { ...form, id, isSpam, createdAt: receivedAt })
    if (!isSpam) queueEnquiryMails(ctx, applicationEnquiry(ctx, form, { id, receivedAt }))
    return { success: true, id, status: 'pending', receivedAt }
  })
}

/** Always for tomorrow: the sent day may be past if a phone sent it late or its clock is wrong. */
export function bookCoachingCall(
  ctx: Context,
  body: CoachingBookingRequest,
  key: string | undefined,
): CoachingBookingResponse {
  return runOncePerKey(ctx, { scope: 'coaching-bookings', key, body }, CoachingBookingResponse, () => {
    const { homepage, ...sent } = body
    const form = { ...sent, bookingDate: tomorrowInLondon(ctx.now()) }
    const [id, receivedAt, isSpam] = [ctx.newId(), ctx.now().toISOString(), isSpamTrapFilled(homepage)]
    insertRow(ctx, coachingBookings, { ...form, id, isSpam, createdAt: receivedAt, updatedAt: receivedAt })
    if (!isSpam) queueEnquiryMails(ctx, bookingEnquiry(ctx, form, { id, receivedAt }))
    return { success: true, id, status: 'scheduled', receivedAt }
  })
}

export function sendContactMessage(ctx: Context, body: ContactRequest, key: string | undefined): ContactResponse {
  return runOncePerKey(ctx, { scope: 'contact', key, body }, ContactResponse, () => {
    const { homepage, ...form } = body
    const [id, receivedAt, isSpam] = [ctx.newId(), ctx.now().toISOString(), isSpamTrapFilled(homepage)]
    insertRow(ctx, contacts, { ...form, id, isSpam, createdAt: receivedAt })
    if (!isSpam) queueEnquiryMails(ctx, contactEnquiry(form, { id, receivedAt }))
    return { success: true, id, receivedAt }
  })
}

const isSpamTrapFilled = (homepage: string) => homepage.trim() !== ''
