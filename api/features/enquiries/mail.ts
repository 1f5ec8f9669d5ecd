import type { Context } from '#api/context.ts'
import { countHit, secondsUntilOpen } from '#api/http/limits.ts'
import { queueMessage } from '#api/mail/messages.ts'
import { type Enquiry, enquiryNoticeMail, enquiryReceivedMail, type Notice } from '#api/mail/templates/enquiry.ts'

const hour = 60 * 60 * 1000

/** Tells each owner, who can answer straight away, and confirms to the sender. Call it in the enquiry's transaction. */
export function mailEnquiry(ctx: Context, enquiry: Enquiry): void {
  tellOwners(ctx, enquiry)
  const { email } = enquiry.sender
  // Nobody proved that the address is his: a mailbox gets a few of these an hour, not sixty.
  const limit = { name: 'enquiry-received', key: email, max: 5, windowMs: hour }
  if (secondsUntilOpen(ctx, limit) !== null) return
  countHit(ctx, limit)
  queueMessage(
    ctx,
    { cause: `${enquiry.kind}:${enquiry.id}:sender`, to: email, userId: null, isRepeatable: true },
    enquiryReceivedMail(enquiry),
  )
}

/** One mail to each owner, who can answer it straight away. */
export function tellOwners(ctx: Context, notice: Notice): void {
  const message = enquiryNoticeMail(notice)
  for (const to of ctx.settings.ownerEmails) {
    const cause = `${notice.kind}:${notice.id}:owner:${to}`
    queueMessage(ctx, { cause, to, replyTo: notice.sender.email, userId: null, isRepeatable: true }, message)
  }
}
