import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { renewalNotices } from '#api/db/schema/renewal-notices.ts'
import { billingUrl, queueTemplate, tierName } from '#api/features/billing-mails/mails.ts'
import type { Subscription } from '#api/features/billing-mails/queries.ts'
import { toNextPayment } from '#api/features/subscriptions/view-service.ts'
import type { OpenMove } from '#api/features/tiers/price-move-queries.ts'
import { bodyOf } from '#api/mail/outbox.ts'
import type { Message } from '#api/mail/templates/layout.ts'
import { fullPriceMail, type RenewalNotice, reminderMail, renewalMail } from '#api/mail/templates/renewal.ts'
import type { NextPayment } from '#shared/contract/billing.ts'
import { chargeOf } from '#shared/rules/charge.ts'
import { londonDay } from '#shared/rules/london.ts'
import type { Period } from '#shared/rules/price-words.ts'
import type { RenewalNoticeKind } from '#shared/rules/renewal-notices.ts'
import type { Renewal } from './queries.ts'

/**
 * What the provider says it will take that day. Null if it hasn't said, or if a price they've been told of isn't booked yet: then
 * nothing is promised.
 */
export function promiseOf({ subscription, renewsOn }: Renewal, move: OpenMove | undefined): NextPayment | null {
  const next = subscription.nextPayment && toNextPayment(subscription.nextPayment)
  const changesThen = move !== undefined && londonDay(new Date(move.movesAt)) === renewsOn && !isBooked(move)
  return next?.on === renewsOn && !changesThen ? next : null
}

const isBooked = ({ bookedSlug, bookedNet, tierSlug, toNet }: OpenMove) =>
  bookedSlug === tierSlug && bookedNet === toNet

const changeOf = (ctx: Context, { nextTierSlug, nextTierPrice, ...now }: Subscription): RenewalNotice['change'] =>
  nextTierSlug === null || nextTierPrice === null
    ? null
    : { tierName: tierName(ctx, nextTierSlug), before: chargeOf(now), after: nextTierPrice }

const periodOf = ({ nextTierPrice, ...now }: Subscription): Period => nextTierPrice ?? chargeOf(now)

const templates = {
  'year-first': renewalMail,
  'year-last': renewalMail,
  reminder: reminderMail,
  'full-price': fullPriceMail,
} satisfies Partial<Record<RenewalNoticeKind, (notice: RenewalNotice) => Message>>

export type NoticeBefore = keyof typeof templates

/** Queues the notice and keeps its words, once. In a transaction. */
export function queueNoticeBefore(ctx: Context, renewal: Renewal, kind: NoticeBefore, next: NextPayment): boolean {
  const { subscription, renewsOn, firstName } = renewal
  const message = templates[kind]({
    firstName,
    tierName: tierName(ctx, subscription.tierSlug),
    billingUrl: billingUrl(ctx),
    next,
    period: periodOf(subscription),
    change: changeOf(ctx, subscription),
  })
  return queueRenewalNotice(ctx, renewal, { kind, renewsOn, amount: next.due, message })
}

/** The start of its cause. Owners word the first. */
const causeKinds: Record<RenewalNoticeKind, string> = {
  'year-first': 'renewal',
  'year-last': 'renewal',
  reminder: 'reminder',
  'full-price': 'full-price',
  'cooling-off': 'cooling-off',
}

type Addressed = Pick<Renewal, 'subscription' | 'userId' | 'email' | 'firstName'>
type Told = { kind: RenewalNoticeKind; renewsOn: string; amount: number; message: Message }

export function queueRenewalNotice(ctx: Context, to: Addressed, { message, ...told }: Told): boolean {
  const { subscription, userId, email, firstName } = to
  if (userId === null || email === null) return false
  const { id: subscriptionId, customerId } = subscription
  const cause = `${causeKinds[told.kind]}:${subscriptionId}:${told.kind}:${told.renewsOn}`
  const { subject, text } = bodyOf(ctx, cause, message)
  const row = { id: ctx.newId(), customerId, subscriptionId, ...told, cause, toldAt: ctx.billingNow().toISOString() }
  const isNew = insertIfAbsent(ctx, renewalNotices, { ...row, subject, text })
  if (isNew) queueTemplate(ctx, { email, firstName, userId }, { cause, message })
  return isNew
}
