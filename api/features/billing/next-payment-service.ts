import type { Context } from '#api/context.ts'
import type { NextPaymentFacts } from '#api/db/schema/next-payment.ts'
import { AppError } from '#api/errors.ts'
import { toNextPayment, toWaitingMembership } from '#api/features/subscriptions/view-service.ts'
import { toAppError } from '#api/stripe/errors.ts'
import {
  previewCancelled,
  previewFreeMonth,
  previewNextPrice,
  previewResumed,
  previewWaitingStart,
} from '#api/stripe/next-payment.ts'
import { getOrCreateVatRate, withPriceOnSale } from '#api/stripe/prices.ts'
import { listWaitingStarts } from '#api/stripe/schedules.ts'
import type { NextPaymentPreview, NextPaymentQuery } from '#shared/contract/billing.ts'
import type { OnBehalf } from './on-behalf-service.ts'
import {
  assertNotRevoked,
  noMembership,
  type OwnSubscription,
  ownCustomer,
  ownSubscription,
} from './own-subscription-service.ts'
import { tierAtShownPrice } from './purchases/service.ts'

/** What the next payment would be after a change, by the provider's word. For dialogs that ask before they change anything. */
export async function previewChange(
  ctx: Context,
  { person }: OnBehalf,
  query: NextPaymentQuery,
): Promise<NextPaymentPreview> {
  if (query.change !== 'cancel') assertNotRevoked(person)
  const subscription = ownSubscription(ctx, person)
  if (subscription === null) throw noMembership()
  try {
    const next = await previewOf(ctx, subscription, query)
    const waiting = query.change === 'cancel' ? await waitingAfter(ctx, person) : {}
    return { nextPayment: next && toNextPayment(next), ...waiting }
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

/** What owners have set to begin later isn't read while a membership goes on. */
async function waitingAfter(
  ctx: Context,
  person: OnBehalf['person'],
): Promise<Pick<NextPaymentPreview, 'waitingStart'>> {
  const [waiting] = await listWaitingStarts(ctx, ownCustomer(ctx, person).stripeCustomerId)
  return waiting === undefined ? {} : { waitingStart: toWaitingMembership(await previewWaitingStart(ctx, waiting)) }
}

async function previewOf(
  ctx: Context,
  subscription: OwnSubscription,
  { change, tierSlug, priceId }: NextPaymentQuery,
): Promise<NextPaymentFacts | null> {
  const { id } = subscription
  if (change === 'resume') return previewResumed(ctx, subscription)
  if (change === 'cancel') return previewCancelled(ctx, id)
  if (change !== 'tier') return previewFreeMonth(ctx, id, change === 'free-month')
  if (tierSlug === undefined) throw new AppError('invalid', 'Choose a tier.')
  const taxRate = await getOrCreateVatRate(ctx)
  const target = tierAtShownPrice(ctx, { tierSlug, priceId })
  const { every } = target
  return withPriceOnSale(ctx, target, (price) => previewNextPrice(ctx, id, { price, every, taxRate }))
}
