import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { cancellations } from '#api/db/schema/subscriptions.ts'
import { currentBilling, currentStateLine, toWaitingMembership } from '#api/features/subscriptions/view-service.ts'
import { bodyOf } from '#api/mail/outbox.ts'
import type { Message } from '#api/mail/templates/layout.ts'
import {
  type Ended,
  endedMail,
  endingMail,
  pausedMail,
  resumedMail,
  tierChangeMail,
  tierKeptMail,
} from '#api/mail/templates/subscription.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { chargeOf, type PeriodPrice } from '#shared/rules/charge.ts'
import { londonDay } from '#shared/rules/london.ts'
import { graceEnd } from '#shared/rules/membership.ts'
import { withVat } from '#shared/rules/money.ts'
import { monthlyOf } from '#shared/rules/mrr.ts'
import { periodWord } from '#shared/rules/price-words.ts'
import { stateLine } from '#shared/rules/state-line.ts'
import { isNewPriceBooked } from '#shared/rules/tier-changes.ts'
import {
  billingUrl,
  endsAt,
  knownSince,
  lastQueued,
  queueTemplate,
  reactivateUrl,
  tierName,
  toAddressee,
} from './mails.ts'
import { wasToldOfFailure } from './payment-mails.ts'
import { lastDue, oldestUnpaidRenewal } from './payment-queries.ts'
import {
  endedSubscriptions,
  hasMethod,
  hasPaid,
  isDuplicate,
  type Member,
  type Subscription,
  wasQueued,
} from './queries.ts'
import { wasWelcomed } from './welcome-mails.ts'

const runningStatuses = ['active', 'trialing', 'past_due', 'unpaid']

/** The subscription was cancelled, or the cancellation undone. One mail per change. */
export function queueEnding(ctx: Context, member: Member, subscription: Subscription): void {
  if (!runningStatuses.includes(member.access.status)) return
  const endsOn = endsAt(subscription)
  const last = lastQueued(ctx, ['ending', 'resumed'], subscription.id)
  const count = (last?.count ?? 0) + 1
  if ((endsOn !== null) === (last?.kind === 'ending')) return
  const billing = currentBilling(ctx, member)
  const about = {
    firstName: member.firstName,
    tierName: tierName(ctx, subscription.tierSlug),
    billingUrl: billingUrl(ctx),
    stateLine: stateLine(billing),
  }
  if (endsOn === null) {
    const message = resumedMail(about)
    queueTemplate(ctx, toAddressee(member), { cause: `resumed:${subscription.id}:${count}`, message })
  } else if ((subscription.canceledAt ?? '') >= knownSince(ctx, subscription.customerId)) {
    const cancelledAt = subscription.canceledAt ?? ctx.billingNow().toISOString()
    const isOwing = member.access.status === 'past_due' || member.access.status === 'unpaid'
    const message = endingMail({
      ...about,
      endsOn,
      cancelledAt,
      isOwing,
      triesCard: member.access.status === 'past_due' && hasMethod(ctx, subscription),
      takesMore: member.access.nextBillingAt !== null,
      last: billing.nextPayment ?? null,
      waitingStart: billing.waitingStart,
    })
    const mail = { cause: `ending:${subscription.id}:${count}`, message }
    queueTemplate(ctx, toAddressee(member), mail)
    keepCancellation(ctx, subscription, { ...mail, cancelledAt })
  }
}

/** The member's own record of what we mailed, which outlives the mail. */
function keepCancellation(
  ctx: Context,
  { customerId }: Subscription,
  { cause, message, cancelledAt }: { cause: string; message: Message; cancelledAt: string },
): void {
  const { subject, text } = bodyOf(ctx, cause, message)
  insertIfAbsent(ctx, cancellations, { id: ctx.newId(), customerId, cause, cancelledAt, subject, text })
}

/** One mail per pause: when a trial ended without a card, or when the owners paused it. Its day tells two pauses apart. */
export function queuePaused(ctx: Context, member: Member, subscription: Subscription): void {
  const { access, firstName, isAdmin } = member
  // We sell nothing to a member whose access is revoked, so they couldn't resume.
  if (access.status !== 'paused' || access.isRevoked) return
  const { trialEnd, created, pausedFor, pausedAt, nextPayment: toResume } = subscription
  const began = (pausedFor === 'pause_requested' ? pausedAt : trialEnd) ?? created
  const cause = `paused:${subscription.id}:${londonDay(new Date(began))}`
  if (began < knownSince(ctx, subscription.customerId) || wasQueued(ctx, cause)) return
  const message = pausedMail({
    firstName,
    tierName: tierName(ctx, subscription.tierSlug),
    stateLine: currentStateLine(ctx, member),
    total: toResume?.due ?? null,
    period: chargeOf(subscription),
    keepsAccess: access.hasAccess || isAdmin,
    resumeUrl: reactivateUrl(ctx),
  })
  queueTemplate(ctx, toAddressee(member), { cause, message })
}

/** One mail per ended membership, unless it never started or was a cancelled duplicate. */
export function queueEnded(ctx: Context, member: Member, customerId: string): void {
  const since = knownSince(ctx, customerId)
  for (const subscription of endedSubscriptions.all(ctx, { customerId, since })) {
    if (!hadStarted(ctx, subscription) || isSucceeded(ctx, member, subscription)) continue
    const { access, firstName } = member
    const message = endedMail({
      firstName,
      tierName: tierName(ctx, subscription.tierSlug),
      endedOn: subscription.endedAt ?? '',
      cause: causeOf(subscription),
      promisedUntil: access.hasAccess ? null : brokenPromiseOf(ctx, subscription),
      lastDue: lastDue.get(ctx, { subscriptionId: subscription.id })?.due ?? 0,
      waitingStart: access.waitingStart === null ? undefined : toWaitingMembership(access.waitingStart),
      returnUrl: access.isRevoked || access.hasAccess || access.waitingStart !== null ? null : reactivateUrl(ctx),
    })
    const mail = { cause: `ended:${subscription.id}`, message }
    queueTemplate(ctx, toAddressee(member), mail)
    if (causeOf(subscription) === 'other')
      keepCancellation(ctx, subscription, {
        ...mail,
        cancelledAt: subscription.endedAt ?? ctx.billingNow().toISOString(),
      })
  }
}

const hadStarted = (ctx: Context, subscription: Subscription) =>
  wasWelcomed(ctx, subscription) || hasPaid(ctx, subscription)

/** Another subscription gives access already: a new one, or the one kept of two duplicates. */
const isSucceeded = (ctx: Context, { access }: Member, subscription: Subscription): boolean =>
  (access.subscriptionGivesAccess && access.subscriptionId !== subscription.id) || isDuplicate(ctx, subscription)

function causeOf(subscription: Subscription): Ended['cause'] {
  if (subscription.cancellationReason === 'payment_failed') return 'unpaid'
  return endsAt(subscription) === null ? 'other' : 'asked'
}

/** The day until which a failed-payment mail promised access, if the provider ended it sooner. */
function brokenPromiseOf(ctx: Context, { id, endedAt }: Subscription): string | null {
  const renewal = oldestUnpaidRenewal.get(ctx, { subscriptionId: id })
  if (renewal === undefined || endedAt === null || !wasToldOfFailure(ctx, renewal.id)) return null
  const promised = londonDay(graceEnd(renewal.created))
  return londonDay(new Date(endedAt)) < promised ? promised : null
}

/** A tier change was booked, or undone before its day. One mail per change. */
export function queueTierChange(ctx: Context, member: Member, subscription: Subscription): void {
  const { id, tierSlug, nextTierSlug, nextTierAt, chargeMonths, isNextFree: isFirstFree } = subscription
  if (!['active', 'trialing'].includes(member.access.status) || endsAt(subscription) !== null) return
  // A new price for the same tier. Its notice went out long before.
  if (isNewPriceBooked(subscription)) return
  const last = lastQueued(ctx, ['tier-change', 'tier-kept'], id)
  const count = (last?.count ?? 0) + 1
  const about = () => ({
    firstName: member.firstName,
    fromName: named(tierSlug, chargeMonths),
    billingUrl: billingUrl(ctx),
  })
  const [lastSlug, lastDay, lastMonths = '1'] = last?.kind === 'tier-change' ? last.rest : []
  const announcedTier = lastSlug
  const isSameTier = (nextTierSlug ?? announcedTier) === tierSlug
  const named = (slug: TierSlug, months: number) =>
    isSameTier ? `${tierName(ctx, slug)} by the ${periodWord({ months })}` : tierName(ctx, slug)
  if (nextTierSlug !== null && nextTierAt !== null) {
    const on = londonDay(new Date(nextTierAt))
    const price: PeriodPrice =
      subscription.nextTierPrice ?? withVat(subscription.nextTierNet ?? monthlyOf(subscription.yearlyNet))
    const { months = 1 } = price
    if (announcedTier === nextTierSlug && lastDay === on && lastMonths === String(months)) return
    const { nextPayment: next } = currentBilling(ctx, member)
    const message = tierChangeMail({
      ...about(),
      ...price,
      toName: named(nextTierSlug, months),
      on,
      isFirstFree,
      next: next?.on === on ? next : null,
    })
    const cause = `tier-change:${id}:${count}:${nextTierSlug}:${on}`
    queueTemplate(ctx, toAddressee(member), { cause: [cause, ...(months === 1 ? [] : [months])].join(':'), message })
    return
  }
  // A change that's no longer booked from its day on has taken effect. The next receipt names the new tier.
  if (announcedTier === undefined || lastDay === undefined || lastDay <= londonDay(ctx.billingNow())) return
  const message = tierKeptMail({
    ...about(),
    ...chargeOf(subscription),
    toName: named(announcedTier, chargeMonths === 1 ? 12 : 1),
    on: lastDay,
  })
  queueTemplate(ctx, toAddressee(member), { cause: `tier-kept:${id}:${count}`, message })
}
