import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { currentStateLine } from '#api/features/billing/view-service.ts'
import { invoiceById } from '#api/features/invoices/queries.ts'
import { paymentFailedMail, receiptMail, refundFailedMail, refundMail } from '#api/mail/templates/payment.ts'
import { type Addressee, billingUrl, knownSince, queueTemplate, reactivateUrl, tierName, toAddressee } from './mails.ts'
import {
  failedRefundsToAnnounce,
  invoicesWithoutReceipt,
  refundsToAnnounce,
  unpaidRenewals,
} from './payment-queries.ts'
import type { Member, Subscription } from './queries.ts'

type Issued = ReturnType<typeof invoicesWithoutReceipt.all>[number]
type Refund = ReturnType<typeof refundsToAnnounce.all>[number]
type FailedRefund = ReturnType<typeof failedRefundsToAnnounce.all>[number]

/** Null where the account is deleted, so that nobody is left to write to. */
const addresseeOf = ({ email, firstName, userId }: Pick<Issued, 'email' | 'firstName' | 'userId'>): Addressee | null =>
  email === null ? null : { email, firstName, userId }

/** The VAT invoice of each payment, and each one that replaces another. */
export function queueReceipts(ctx: Context, customer: Pick<Customer, 'id'>): void {
  const since = knownSince(ctx, customer.id)
  for (const issued of invoicesWithoutReceipt.all(ctx, { customerId: customer.id, since })) queueReceipt(ctx, issued)
}

function queueReceipt(ctx: Context, issued: Issued): void {
  const to = addresseeOf(issued)
  const invoice = invoiceById(ctx, issued.id)
  if (to === null || invoice === undefined) return
  const { id, number, lines, net, vat, gross, isMissingAddress, takesPlaceOf } = invoice
  const message = receiptMail({
    firstName: to.firstName,
    number,
    lines,
    ...{ net, vat, total: gross, paidOn: issued.paidAt },
    billingUrl: to.userId === null ? null : billingUrl(ctx),
    isMissingAddress,
    replaces: issued.replaced === null ? null : { number: issued.replaced, creditNote: issued.creditNote },
    takesPlaceOf,
  })
  queueTemplate(ctx, to, { cause: `receipt:${id}`, attachment: { kind: 'invoice', id }, message })
}

/** Each refund, with its credit note; and each that failed after it had been announced. */
export function queueRefunds(ctx: Context, customer: Pick<Customer, 'id'>): void {
  const customerId = customer.id
  const since = knownSince(ctx, customerId)
  for (const refund of refundsToAnnounce.all(ctx, { customerId, since })) queueRefund(ctx, refund)
  for (const refund of failedRefundsToAnnounce.all(ctx, { customerId })) queueRefundFailed(ctx, refund)
}

function queueRefund(ctx: Context, refund: Refund): void {
  const to = addresseeOf(refund)
  if (to === null) return
  const { id, amount, created, noteId, note, invoice } = refund
  const creditNote = note === null || invoice === null ? null : { number: note, invoiceNumber: invoice }
  const message = refundMail({ firstName: to.firstName, amount, refundedOn: created, creditNote })
  queueTemplate(ctx, to, {
    cause: `refund:${id}`,
    ...(noteId === null ? {} : { attachment: { kind: 'credit_note', id: noteId } as const }),
    message,
  })
}

function queueRefundFailed(ctx: Context, refund: FailedRefund): void {
  const to = addresseeOf(refund)
  if (to === null) return
  const { id, amount, created } = refund
  const contactUrl = `${ctx.settings.publicUrl}/contact`
  const message = refundFailedMail({ firstName: to.firstName, amount, refundedOn: created, contactUrl })
  queueTemplate(ctx, to, { cause: `refund-failed:${id}`, message })
}

/** One mail for each renewal that the card did not pay, while it is unpaid. */
export function queuePaymentFailed(ctx: Context, member: Member, subscription: Subscription): void {
  const { status, isRevoked } = member.access
  // A member whose access the owners revoked could not pay: nothing is sold to them.
  if ((status !== 'past_due' && status !== 'unpaid') || isRevoked) return
  const since = knownSince(ctx, subscription.customerId)
  const renewals = unpaidRenewals.all(ctx, { subscriptionId: subscription.id, since })
  for (const { id, net, vat, total, created } of renewals) {
    const message = paymentFailedMail({
      ...{ firstName: member.firstName, tierName: tierName(ctx, subscription.tierSlug), net, vat, total },
      ...{ dueOn: created, payUrl: reactivateUrl(ctx), stateLine: currentStateLine(ctx, member) },
      isGivenUp: status === 'unpaid',
    })
    queueTemplate(ctx, toAddressee(member), { cause: `payment-failed:${id}`, message })
  }
}
