import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { currentBilling } from '#api/features/subscriptions/view-service.ts'
import { setFreeMonth } from '#api/stripe/free-month.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { isNewPriceBooked } from '#shared/rules/tier-changes.ts'
import type { OnBehalf } from './on-behalf-service.ts'
import { assertNotRevoked, withOwnSubscription } from './own-subscription-service.ts'
import { assertBetweenPayments } from './tier-change-service.ts'

/** A one-off 100% discount. Refused while a tier change is booked, because the member has been told their next payment. */
export async function giveFreeMonth(
  ctx: Context,
  { person, actor }: OnBehalf,
  isFree: boolean,
): Promise<BillingSubscription> {
  assertNotRevoked(person)
  await withOwnSubscription(ctx, person, async (subscription) => {
    if (subscription.isNextFree === isFree) return
    if (isFree) assertBetweenPayments(subscription)
    if (isFree && (subscription.chargeMonths > 1 || subscription.chargeDays !== null)) {
      throw new AppError('conflict', 'They don’t pay by the month, so a month can’t be free. You can give free access.')
    }
    if (subscription.nextTierSlug !== null) {
      throw new AppError(
        'conflict',
        isNewPriceBooked(subscription)
          ? 'A price change is booked for the next payment. You can give a free month after that.'
          : `A tier change is booked. Undo it first, then you can ${isFree ? 'give a free month' : 'withdraw the free month'}.`,
      )
    }
    await setFreeMonth(ctx, subscription.id, isFree)
    audit(ctx, actor, isFree ? 'subscription.free_month' : 'subscription.free_month_undone', {
      targetId: person.id,
      detail: { subscription: subscription.id },
    })
  })
  return currentBilling(ctx, person)
}
