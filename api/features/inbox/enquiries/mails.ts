import type { Context } from '#api/context.ts'
import { ownerMailboxes } from '#api/features/accounts/owner-queries.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { type Enquiry, enquiryNoticeMail, enquiryReceivedMail, type Notice } from '#api/mail/templates/enquiry.ts'
import { rateLimits, recordHitIfAllowed } from '#api/serving/rate-limits.ts'
import { contentOf } from '#api/site/content.ts'
import type { CoachingApplicationForm } from '#shared/contract/coaching.ts'
import type { CoachingBookingRequest } from '#shared/contract/coaching-booking.ts'
import type { ContactForm } from '#shared/contract/contact.ts'
import {
  bookingLabels,
  coachingApplicationLabels,
  coachingChoices,
  contactLabels,
} from '#shared/contract/form-labels.ts'
import { answersOf } from '#shared/rules/form-answers.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { tradeNamesOf } from '#shared/rules/trade-names.ts'

/** Notifies the owners and confirms to the sender. Call it in the enquiry's transaction. */
export function queueEnquiryMails(ctx: Context, enquiry: Enquiry): void {
  notifyOwners(ctx, enquiry)
  const { email } = enquiry.sender
  // The sender may not own the address, so a mailbox gets a few of these an hour, not sixty.
  if (!recordHitIfAllowed(ctx, rateLimits.enquiryReceipts(email))) return
  const cause = `${enquiry.kind}:${enquiry.id}:sender`
  queueMessage(ctx, { cause, to: email, userId: null, isRepeatable: true }, enquiryReceivedMail(enquiry))
}

/** Mails each owner, who can reply directly to the sender. */
export function notifyOwners(ctx: Context, notice: Notice): void {
  const message = enquiryNoticeMail(notice)
  for (const to of ownerMailboxes(ctx)) {
    const cause = `${notice.kind}:${notice.id}:owner:${to}`
    queueMessage(ctx, { cause, to, replyTo: notice.sender.email, userId: null, isRepeatable: true }, message)
  }
}

type Receipt = Pick<Enquiry, 'id' | 'receivedAt'>

export const applicationEnquiry = (ctx: Context, form: CoachingApplicationForm, receipt: Receipt): Enquiry => ({
  ...receipt,
  kind: 'coaching-application',
  sender: form,
  typed: answersOf(coachingApplicationLabels, form, {
    ...coachingChoices,
    trade: tradeNamesOf(contentOf(ctx).read()).coaching,
  }),
  facts: [],
})

/** The form sends its times, challenges and notes as one text. */
const { preferredTimes: _times, businessChallenges: _challenges, ...sentLabels } = bookingLabels

type BookingForm = Omit<CoachingBookingRequest, 'homepage'>

export const bookingEnquiry = (ctx: Context, form: BookingForm, receipt: Receipt): Enquiry => ({
  ...receipt,
  kind: 'coaching-booking',
  sender: form,
  typed: answersOf(sentLabels, form, { trade: tradeNamesOf(contentOf(ctx).read()).booking }),
  facts: [['Call', `${form.duration} minutes, noted for ${formatLongDate(form.bookingDate)}, time to be agreed`]],
})

export const contactEnquiry = (form: ContactForm, receipt: Receipt): Enquiry => ({
  ...receipt,
  kind: 'contact',
  sender: { ...form, phone: null },
  typed: answersOf(contactLabels, form),
  facts: [],
})
