import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { billingUrl, knownSince, tierName } from '#api/features/billing-mails/mails.ts'
import { coolingOffMail } from '#api/mail/templates/renewal.ts'
import { siteSettings } from '#api/site/settings.ts'
import { chargeOf } from '#shared/rules/charge.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { consumerIntervals, daysBetween, isReminderDue } from '#shared/rules/renewal-notices.ts'
import { queueRenewalNotice } from './mails.ts'
import { type Begun, listBegun, type Renewal } from './queries.ts'

/* What private customers are told, where they can join (decision 078). */

const { reminderBefore, fullPriceBefore, coolingOff } = consumerIntervals

/** Before a payment that's for less than a year, or that's the first for one. */
export function consumerNoticeDue(renewal: Renewal, now: Date): 'full-price' | 'reminder' | null {
  const { subscription, renewsOn } = renewal
  const left = daysBetween(londonDay(now), renewsOn)
  if (isCheaperNow(renewal, now)) return left <= fullPriceBefore.count ? 'full-price' : null
  if (left > reminderBefore.count || subscription.status !== 'active') return null
  return isReminderDue(lastTold(renewal, now), { renewsOn, months: subscription.chargeMonths }) ? 'reminder' : null
}

/** A trial, a payment put off, a free month or a coupon, after which more is taken. A change they've booked is another thing. */
function isCheaperNow({ subscription, lastTotal }: Renewal, now: Date): boolean {
  const { trialEnd, nextPayment, nextTierSlug } = subscription
  if (nextPayment?.total === 0) return false
  if (trialEnd !== null && trialEnd > now.toISOString()) return true
  return nextTierSlug === null && lastTotal !== null && (nextPayment?.total ?? 0) > lastTotal
}

function lastTold({ subscription: { created, trialEnd }, toldOf }: Renewal, now: Date): string {
  const began = trialEnd !== null && trialEnd <= now.toISOString() ? trialEnd : created
  const beganOn = londonDay(new Date(began))
  return toldOf !== null && toldOf > beganOn ? toldOf : beganOn
}

/** Tells of each year and first full price that has begun in the last 14 days. */
export function announceBegun(ctx: Context): number {
  const now = ctx.billingNow()
  const since = new Date(now.getTime() - coolingOff.count * dayMs).toISOString()
  return listBegun(ctx, since).filter((begun) => isNews(ctx, begun) && transact(ctx, () => tellBegun(ctx, begun)))
    .length
}

/** The provider makes an invoice and begins its period in one go, but may date the two a little apart. */
const toleranceMs = 60 * 60 * 1000

function isNews(ctx: Context, { subscription, paid, paidFor, totalBefore, toldOfFullPrice }: Begun): boolean {
  const { currentPeriodStart: start, chargeMonths, chargeDays, trialEnd, customerId } = subscription
  if (start === null || paid === null || paidFor === null || start < knownSince(ctx, customerId)) return false
  if (Date.parse(paidFor) < Date.parse(start) - toleranceMs) return false
  const isFirstFull = trialEnd === start || totalBefore === 0 || toldOfFullPrice === londonDay(new Date(start))
  return chargeMonths >= 12 || (chargeDays ?? 0) >= 365 || isFirstFull
}

function tellBegun(ctx: Context, begun: Begun): boolean {
  const { subscription, firstName, paid } = begun
  const begins = londonDay(new Date(subscription.currentPeriodStart ?? ''))
  const message = coolingOffMail({
    firstName,
    tierName: tierName(ctx, subscription.tierSlug),
    period: chargeOf(subscription),
    paid: paid ?? 0,
    begins,
    until: addDays(begins, coolingOff.count),
    ends: londonDay(new Date(subscription.currentPeriodEnd ?? '')),
    contactUrl: `${ctx.settings.publicUrl}/contact`,
    email: siteSettings(ctx).firm.email,
    billingUrl: billingUrl(ctx),
  })
  return queueRenewalNotice(ctx, begun, { kind: 'cooling-off', renewsOn: begins, amount: paid ?? 0, message })
}
