import type { Context } from '#api/context.ts'
import { countHit, secondsUntilOpen } from '#api/http/limits.ts'
import { queueLetter } from '#api/mail/letters.ts'
import { type Enquiry, enquiryNoticeMail, enquiryReceivedMail } from '#api/mail/templates/enquiry.ts'

const hour = 60 * 60 * 1000

/** Tells each owner, who can answer straight away, and confirms to the sender. Call it in the enquiry's transaction. */
export function mailEnquiry(ctx: Context, enquiry: Enquiry): void {
  const cause = `${enquiry.kind}:${enquiry.id}`
  const { email } = enquiry.sender
  const notice = enquiryNoticeMail(enquiry)
  for (const to of ctx.settings.ownerEmails) {
    queueLetter(ctx, { cause: `${cause}:owner:${to}`, to, replyTo: email, userId: null, isRepeatable: true }, notice)
  }
  // Nobody proved that the address is his: a mailbox gets a few of these an hour, not sixty.
  const limit = { name: 'enquiry-received', key: email, max: 5, windowMs: hour }
  if (secondsUntilOpen(ctx, limit) !== null) return
  countHit(ctx, limit)
  queueLetter(
    ctx,
    { cause: `${cause}:sender`, to: email, userId: null, isRepeatable: true },
    enquiryReceivedMail(enquiry),
  )
}
