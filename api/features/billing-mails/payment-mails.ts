import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { invoiceById } from '#api/features/invoices/queries.ts'
import { tellMember } from '#api/features/notices/notice-service.ts'
import { currentStateLine } from '#api/features/subscriptions/view-service.ts'
import {
  accessEndedMail,
  accessEndingMail,
  paymentFailedMail,
  receiptMail,
  refundFailedMail,
  refundMail,
} from '#api/mail/templates/payment.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { londonDay } from '#shared/rules/london.ts'
import { graceEnd } from '#shared/rules/membership.ts'
import { onlyRate } from '#shared/rules/money.ts'
import {
  type Addressee,
  billingPath,
  billingUrl,
  endsAt,
  knownSince,
  queueTemplate,
  reactivateUrl,
  tierName,
  toAddressee,
} from './mails.ts'
import {
  failedRefundsToAnnounce,
  invoicesWithoutReceipt,
  refundsToAnnounce,
  renewalInGrace,
  unpaidRenewals,
} from './payment-queries.ts'
import { hasMethod, type Member, queuedCauses, type Subscription, wasQueued } from './queries.ts'

type Issued = ReturnType<typeof invoicesWithoutReceipt.all>[number]
type Refund = ReturnType<typeof refundsToAnnounce.all>[number]
type FailedRefund = ReturnType<typeof failedRefundsToAnnounce.all>[number]

/** Null if the account is deleted. */
const addresseeOf = ({ email, firstName, userId }: Pick<Issued, 'email' | 'firstName' | 'userId'>): Addressee | null =>
  email === null ? null : { email, firstName, userId }

/** A mail for each payment's VAT invoice, and for each invoice that replaces another. */
export function queueReceipts(ctx: Context, customer: Pick<Customer, 'id'>): void {
  const since = knownSince(ctx, customer.id)
  for (const issued of invoicesWithoutReceipt.all(ctx, { customerId: customer.id, since })) queueReceipt(ctx, issued)
}

function queueReceipt(ctx: Context, issued: Issued): void {
  const to = addresseeOf(issued)
  const invoice = invoiceById(ctx, issued.id)
  if (to === null || invoice === undefined) return
  const { id, number, lines, net, vat, gross, fromCredit, isMissingAddress, takesPlaceOf } = invoice
  const message = receiptMail({
    firstName: to.firstName,
    number,
    lines,
    net,
    vat,
    vatRate: onlyRate(lines),
    total: gross,
    fromCredit,
    paidBy: issued.paidBy,
    fromBefore: issued.fromBefore,
    paidOn: issued.paidAt,
    renewsOn: issued.renewsAt,
    billingUrl: to.userId === null ? null : billingUrl(ctx),
    isMissingAddress,
    replaces: issued.replaced === null ? null : { number: issued.replaced, creditNote: issued.creditNote },
    takesPlaceOf,
  })
  queueTemplate(ctx, to, { cause: `receipt:${id}`, attachment: { kind: 'invoice', id }, message })
}

/** A mail for each refund, with its credit note, and for each that failed after we announced it. */
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
  const message = refundMail({
    firstName: to.firstName,
    amount,
    refundedOn: created,
    creditNote,
    reason: refund.reason,
  })
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

/** A renewal due longer ago than this is old news, such as one from before we mailed about attempts. */
const newsMs = 60 * dayMs
const reminderMs = 3 * dayMs

const renewalsSince = (ctx: Context, { customerId }: Subscription): string => {
  const recent = new Date(ctx.billingNow().getTime() - newsMs).toISOString()
  const known = knownSince(ctx, customerId)
  return recent.localeCompare(known) > 0 ? recent : known
}

/** We sell nothing to a member whose access is revoked, so they couldn't pay. */
const isInArrears = ({ access: { status, isRevoked } }: Member): boolean =>
  (status === 'past_due' || status === 'unpaid') && !isRevoked

const aboutRenewal = (ctx: Context, member: Member, { tierSlug }: Subscription) => ({
  firstName: member.firstName,
  tierName: tierName(ctx, tierSlug),
  payUrl: reactivateUrl(ctx),
  stateLine: currentStateLine(ctx, member),
})

export const wasToldOfFailure = (ctx: Context, renewalId: string): boolean =>
  wasQueued(ctx, `payment-failed:${renewalId}`) || queuedCauses(ctx, 'payment-failed', renewalId).length > 0

/** One mail per failed attempt to charge a renewal, while it's unpaid. */
export function queuePaymentFailed(ctx: Context, member: Member, subscription: Subscription): void {
  if (!isInArrears(member)) return
  const since = renewalsSince(ctx, subscription)
  for (const { id, created, attempts, ...price } of unpaidRenewals.all(ctx, {
    subscriptionId: subscription.id,
    since,
  })) {
    const message = paymentFailedMail({
      ...aboutRenewal(ctx, member, subscription),
      ...price,
      dueOn: created,
      isAgain: wasToldOfFailure(ctx, id),
      isGivenUp: member.access.status === 'unpaid',
      hasCard: hasMethod(ctx, subscription),
    })
    const cause = attempts > 1 ? `payment-failed:${id}:${attempts}` : `payment-failed:${id}`
    queueTemplate(ctx, toAddressee(member), { cause, message })
    // Stripe names no time of a later attempt.
    const happenedAt = attempts > 1 ? 'unknown' : new Date(created)
    tellMember(ctx, { cause, userId: member.id, kind: 'payment', path: billingPath, mail: null, happenedAt })
  }
}

/** Mails three days before an unpaid renewal ends access, and when it has. The provider sends no event for either. */
export function queueAccessEnds(ctx: Context, member: Member, subscription: Subscription): number {
  if (!isInArrears(member) || member.isAdmin || member.access.isGranted) return 0
  const renewal = renewalInGrace.get(ctx, { subscriptionId: subscription.id, since: renewalsSince(ctx, subscription) })
  if (renewal === undefined) return 0
  const { id, created, ...price } = renewal
  const end = graceEnd(created)
  const untilEnd = end.getTime() - ctx.billingNow().getTime()
  const kind = untilEnd <= 0 ? 'access-ended' : 'access-ending'
  // A member who cancelled loses access with the membership, which has its own mail.
  const endsSooner = (endsAt(subscription) ?? '9') < end.toISOString()
  if (untilEnd > reminderMs || endsSooner || wasQueued(ctx, `${kind}:${id}`)) return 0
  const about = { ...aboutRenewal(ctx, member, subscription), ...price, dueOn: created }
  const message = untilEnd <= 0 ? accessEndedMail(about) : accessEndingMail({ ...about, endsOn: londonDay(end) })
  queueTemplate(ctx, toAddressee(member), { cause: `${kind}:${id}`, message })
  return 1
}
