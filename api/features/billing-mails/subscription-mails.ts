import type { Context } from '#api/context.ts'
import { type Ended, endedMail, endingMail, resumedMail } from '#api/mail/templates/membership-end.ts'
import {
  asAddressee,
  billingUrl,
  endsAt,
  knownSince,
  lastTold,
  nextPayment,
  queueTemplate,
  reactivateUrl,
  tierName,
} from './mails.ts'
import { type Member, queriesOf, type Subscription } from './queries.ts'
import { isGreeted } from './welcome-mails.ts'

const running = ['active', 'trialing', 'past_due']

/** Cancelled, and taken back again, as often as it turns. */
export function queueEnding(ctx: Context, member: Member, subscription: Subscription): void {
  if (!running.includes(member.access.status)) return
  const endsOn = endsAt(subscription)
  const told = lastTold(ctx, ['ending', 'resumed'], subscription.id)
  const isToldEnding = told?.kind === 'ending'
  const count = (told?.count ?? 0) + 1
  if ((endsOn !== null) === isToldEnding) return
  const about = {
    firstName: member.firstName,
    tierName: tierName(ctx, subscription.tierSlug),
    billingUrl: billingUrl(ctx),
  }
  if (endsOn === null) {
    const message = resumedMail({ ...about, nextPayment: nextPayment(subscription) })
    queueTemplate(ctx, asAddressee(member), { cause: `resumed:${subscription.id}:${count}`, message })
  } else if ((subscription.canceledAt ?? '') >= knownSince(ctx, subscription.customerId)) {
    const message = endingMail({ ...about, endsOn, keepsAccess: member.access.status !== 'past_due' })
    queueTemplate(ctx, asAddressee(member), { cause: `ending:${subscription.id}:${count}`, message })
  }
}

/** Each membership that is over; nothing is said of one that never began, or was taken back as a double. */
export function queueEnded(ctx: Context, member: Member, customerId: string): void {
  for (const subscription of queriesOf(ctx).ended.all(customerId, knownSince(ctx, customerId))) {
    if (!hadBegun(ctx, subscription) || isPriceReplaced(ctx, member, subscription)) continue
    const { access, firstName } = member
    const message = endedMail({
      ...{ firstName, tierName: tierName(ctx, subscription.tierSlug), endedOn: subscription.endedAt ?? '' },
      cause: causeOf(subscription),
      returnUrl: access.isRevoked || access.hasAccess ? null : reactivateUrl(ctx),
    })
    queueTemplate(ctx, asAddressee(member), { cause: `ended:${subscription.id}`, message })
  }
}

const hadBegun = (ctx: Context, subscription: Subscription) =>
  isGreeted(ctx, subscription) || queriesOf(ctx).hasPaid.get(subscription.id) !== undefined

/** Another one gives access already: a new beginning, or the one of two that stayed. */
function isPriceReplaced(ctx: Context, { access }: Member, { id }: Subscription): boolean {
  if (access.subscriptionGivesAccess && access.subscriptionId !== id) return true
  return queriesOf(ctx).withdrawn.get(id) !== undefined
}

function causeOf(subscription: Subscription): Ended['cause'] {
  if (subscription.cancellationReason === 'payment_failed') return 'unpaid'
  return endsAt(subscription) === null ? 'other' : 'asked'
}
