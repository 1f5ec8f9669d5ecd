import type { Context } from '#api/context.ts'
import { paymentFailedMail } from '#api/mail/templates/payment-failed.ts'
import { asAddressee, knownSince, queueTemplate, reactivateUrl, tierName } from './mails.ts'
import { type Member, queriesOf, type Subscription } from './queries.ts'

/** One mail for each renewal that the card did not pay, while it is unpaid. */
export function queuePaymentFailed(ctx: Context, member: Member, subscription: Subscription): void {
  const { status, isRevoked } = member.access
  // Nothing is sold to somebody whom the owners shut out: he could not pay.
  if ((status !== 'past_due' && status !== 'unpaid') || isRevoked) return
  const since = knownSince(ctx, subscription.customerId)
  for (const { id, net, vat, total, created } of queriesOf(ctx).unpaid.all(subscription.id, since)) {
    const message = paymentFailedMail({
      ...{ firstName: member.firstName, tierName: tierName(ctx, subscription.tierSlug), net, vat, total },
      ...{ dueOn: created, payUrl: reactivateUrl(ctx), access: accessLeft(member) },
      isGivenUp: status === 'unpaid',
    })
    queueTemplate(ctx, asAddressee(member), { cause: `payment-failed:${id}`, message })
  }
}

/** Null where access does not hang on the payment: the owners granted it. */
function accessLeft({ access, isGranted }: Member): { endsOn: string | null; isOver: boolean } | null {
  if (isGranted) return null
  return { endsOn: access.graceEndsOn, isOver: !access.subscriptionGivesAccess }
}
