import type { Context } from '#api/context.ts'
import { paymentFailedMail } from '#api/mail/templates/payment-failed.ts'
import {
  asAddressee,
  isTold,
  knownSince,
  type Member,
  reactivateUrl,
  type Subscription,
  tell,
  tierName,
} from './news.ts'

type UnpaidRow = { id: string; net: number; vat: number; total: number; created: string }

/** One mail for each renewal that the card did not pay, while it is unpaid. */
export function queuePaymentFailed(ctx: Context, member: Member, subscription: Subscription): void {
  const { status, isRevoked } = member.access
  // Nothing is sold to somebody whom the owners shut out: he could not pay.
  if ((status !== 'past_due' && status !== 'unpaid') || isRevoked) return
  const rows = ctx.sqlite
    .prepare<[string, string], UnpaidRow>(
      `select id, net, vat, total, created from provider_invoices
       where subscriptionId = ? and status = 'open' and created >= ? and billingReason = 'subscription_cycle' and attempts > 0`,
    )
    .all(subscription.id, knownSince(ctx, subscription.customerId))
  for (const { id, net, vat, total, created } of rows) {
    const cause = `payment-failed:${id}`
    if (isTold(ctx, cause)) continue
    const letter = paymentFailedMail({
      ...{ firstName: member.firstName, tierName: tierName(ctx, subscription.tierSlug), net, vat, total },
      ...{ dueOn: created, payUrl: reactivateUrl(ctx), access: accessLeft(member) },
    })
    tell(ctx, asAddressee(member), { cause, letter })
  }
}

/** Null where access does not hang on the payment: the owners granted it. */
function accessLeft({ access, isGranted }: Member): { endsOn: string | null; isOver: boolean } | null {
  if (isGranted) return null
  return { endsOn: access.graceEndsOn, isOver: !access.subscriptionGivesAccess }
}
