import { auditWish } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import type { OnBehalf } from '#api/features/billing/on-behalf-service.ts'
import { type OwnSubscription, withOwnSubscription } from '#api/features/billing/own-subscription-service.ts'
import { currentBilling } from '#api/features/subscriptions/view-service.ts'
import { releaseSchedule } from '#api/stripe/schedules.ts'
import { moveNextPayment } from '#api/stripe/subscriptions.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { putOffTo } from '#shared/rules/renewal-notices.ts'
import { isNewPriceBooked } from '#shared/rules/tier-changes.ts'

/**
 * Puts the renewal of a year off by a month, from the day as the owner saw it, so that a press repeated by mistake moves nothing. What's
 * paid stays paid, and nothing is prorated.
 */
export async function putOffRenewal(
  ctx: Context,
  { person, actor }: OnBehalf,
  from: string,
): Promise<BillingSubscription> {
  await withOwnSubscription(ctx, person, async (subscription) => {
    const { id } = subscription
    const at = assertRenewing(subscription)
    // Moved already, by a call whose answer was lost.
    if (subscription.isPutOff && londonDay(new Date(at)) === londonDay(new Date(putOffTo(`${from}T12:00:00.000Z`))))
      return
    if (londonDay(new Date(at)) !== from)
      throw new AppError(
        'conflict',
        `The next payment is on ${formatLongDate(at)}. Check the day before you put it off.`,
      )
    const to = putOffTo(at)
    // A change that has begun keeps its schedule until the period ends, which would take the payment on the old day.
    await releaseSchedule(ctx, id)
    await moveNextPayment(ctx, id, to)
    const wish = `${id}:${from}`
    auditWish(ctx, actor, 'subscription.put_off', { targetId: person.id, wish, detail: { subscription: id, from, to } })
  })
  return currentBilling(ctx, person)
}

function assertRenewing({ status, isEnding, nextBillingAt, ...subscription }: OwnSubscription): string {
  const { chargeMonths, chargeDays, nextTierSlug } = subscription
  if (status !== 'active' || isEnding || nextBillingAt === null)
    throw new AppError('conflict', 'There’s no renewal to put off.')
  if (chargeMonths < 12 && (chargeDays ?? 0) < 365)
    throw new AppError('conflict', 'They don’t pay by the year. You can give a free month instead.')
  // The provider takes the day of a change from its schedule, which a moved payment would miss.
  if (nextTierSlug !== null)
    throw new AppError(
      'conflict',
      isNewPriceBooked(subscription)
        ? 'A price change is booked for the next payment, so you can’t put it off.'
        : 'A tier change is booked. Undo it first, then you can put the renewal off.',
    )
  return nextBillingAt
}
