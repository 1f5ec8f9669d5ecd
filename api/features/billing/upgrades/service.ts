import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { OnBehalf } from '#api/features/billing/on-behalf-service.ts'
import {
  assertNotRevoked,
  type OwnSubscription,
  ownCustomer,
  withOwnSubscription,
} from '#api/features/billing/own-subscription-service.ts'
import { tierAtShownPrice } from '#api/features/billing/purchases/service.ts'
import {
  closeUpgrade,
  endUpgrade,
  findLastStarted,
  findUpgrade,
  isExpired,
  openUpgrade,
  recordStart,
  type Upgrade,
} from '#api/features/subscriptions/upgrade-attempts-service.ts'
import { currentBilling, toNextPayment } from '#api/features/subscriptions/view-service.ts'
import { tierToBuy } from '#api/features/tiers/service.ts'
import type { Member } from '#api/identity/person.ts'
import { isRejectedByStripe } from '#api/stripe/errors.ts'
import { everyOf, type PricedTier, readPrice, withPriceOnSale } from '#api/stripe/prices.ts'
import { isRunningAtProvider } from '#api/stripe/subscriptions.ts'
import * as provider from '#api/stripe/upgrades.ts'
import type { ChangeTierRequest } from '#shared/contract/billing.ts'
import type { SettleUpgradeRequest, UpgradePreview, UpgradeRequest, UpgradeResult } from '#shared/contract/upgrade.ts'
import { leastDueToday } from '#shared/rules/tier-changes.ts'
import { assertCreditPaid, assertNothingWaiting, type UpgradeTarget, upgradeTerms } from './terms-service.ts'

/** What it costs to move to a dearer tier today. Stored, so that we charge what we showed. */
export function previewUpgrade(
  ctx: Context,
  { person }: OnBehalf,
  request: ChangeTierRequest,
): Promise<UpgradePreview> {
  assertNotRevoked(person)
  return withOwnSubscription(ctx, person, (subscription) =>
    unlessOver(ctx, subscription, () => openPreview(ctx, person, subscription, tierAtShownPrice(ctx, request))),
  )
}

async function openPreview(ctx: Context, person: Member, subscription: OwnSubscription, to: PricedTier) {
  const terms = await upgradeTerms(ctx, person.id, subscription, to)
  const { every, restarts } = terms
  const prorationDate = Math.floor(ctx.billingNow().getTime() / 1000)
  const preview = await withPriceOnSale(ctx, to, async (price) => {
    const change = { subscription: subscription.id, item: terms.item, price, restarts }
    const now = await provider.previewUpgrade(ctx, change, prorationDate)
    return { price, now, next: await provider.previewRenewal(ctx, change, now.balanceAfter) }
  })
  const { now, next } = preview
  assertNothingWaiting(now)
  assertCreditPaid(ctx, subscription.id, { every, credit: now.credit.total })
  if (now.total < leastDueToday) {
    const what = restarts ? 'Today’s payment' : `The rest of this ${every}`
    throw new AppError('conflict', `${what} comes to less than £1.00. Change with your next payment.`)
  }
  const { balanceAfter: _after, takesWaiting: _takes, ...shown } = now
  const { net, vat, total, due } = shown
  const { id: attemptId, expiresAt } = openUpgrade(ctx, {
    customerId: ownCustomer(ctx, person).id,
    stripeSubscriptionId: subscription.id,
    stripeItemId: terms.item,
    fromTierSlug: terms.from.slug,
    tierSlug: to.slug,
    tierPriceId: to.tierPriceId,
    fromPriceId: terms.fromPriceId,
    priceId: preview.price,
    prorationDate,
    net,
    vat,
    total,
    due,
  })
  return {
    attemptId,
    expiresAt,
    ...shown,
    card: terms.card,
    from: terms.from,
    to: { slug: to.slug, name: to.name },
    nextBill: toNextPayment(next),
  }
}

/** Turns a refusal by the provider into a clear one if the membership has ended since we read it. */
async function unlessOver<Result>(ctx: Context, { id }: OwnSubscription, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isRejectedByStripe(error) || (await isRunningAtProvider(ctx, id))) throw error
    throw new AppError('conflict', 'Your membership has ended, so we haven’t changed it. You haven’t been charged.')
  }
}

type Started = Pick<UpgradeResult, 'status' | 'clientSecret'> & { refusal?: string }

/** Charges once, however often it's repeated. Waits if the bank asks the member. A refused payment changes nothing. */
export async function startUpgrade(
  ctx: Context,
  onBehalf: OnBehalf,
  { attemptId }: UpgradeRequest,
): Promise<UpgradeResult> {
  const { person } = onBehalf
  assertNotRevoked(person)
  const work = (subscription: OwnSubscription) =>
    unlessOver(ctx, subscription, () => startAtProvider(ctx, onBehalf, subscription, attemptId))
  const { refusal, ...result } = await withOwnSubscription(ctx, person, work, { keepsUpgrade: true, asked: 'charge' })
  if (refusal !== undefined) throw new AppError('payment_declined', `${refusal} Nothing has changed.`)
  return { ...result, subscription: currentBilling(ctx, person) }
}

const upgraded: Started = { status: 'upgraded', clientSecret: null }

async function startAtProvider(
  ctx: Context,
  onBehalf: OnBehalf,
  subscription: OwnSubscription,
  attemptId: string,
): Promise<Started> {
  const { person, actor } = onBehalf
  const upgrade = ownUpgrade(ctx, person, attemptId)
  if (upgrade.outcome === 'upgraded') return upgraded
  if (upgrade.startedAt === null) {
    await assertAsShown(ctx, person, subscription, upgrade)
    recordStart(ctx, upgrade)
    const { fromTierSlug: from, tierSlug: to, total, due } = upgrade
    audit(ctx, actor, 'subscription.upgrade', {
      targetId: person.id,
      detail: { subscription: subscription.id, from, to, total, due },
    })
  } else if (upgrade.closedAt !== null) throw priceChanged()
  try {
    const change = await changeOf(ctx, upgrade)
    await provider.startUpgrade(ctx, change, { prorationDate: upgrade.prorationDate, key: upgrade.id })
  } catch (error) {
    if (isRejectedByStripe(error)) closeUpgrade(ctx, upgrade.id, 'refused')
    throw error
  }
  return resultOf(ctx, onBehalf, { ...upgrade, startedAt: upgrade.startedAt ?? ctx.billingNow().toISOString() })
}

/** Reads the result from the provider. An unpaid upgrade with nothing left to confirm ends here. */
async function resultOf(ctx: Context, { isThere }: OnBehalf, upgrade: Upgrade): Promise<Started> {
  const { stripeSubscriptionId: subscription, priceId: price } = upgrade
  const state = await provider.readUpgrade(ctx, { subscription, price })
  const asks = state.status === 'waiting' && state.clientSecret !== null
  if (asks && isThere) return { status: 'action_required', clientSecret: state.clientSecret }
  const outcome = await endUpgrade(ctx, upgrade, 'refused')
  if (outcome === 'upgraded') return upgraded
  if (outcome === null) return { status: 'processing', clientSecret: null }
  const bank = (state.status === 'waiting' ? state.refusal : null) ?? 'The payment didn’t go through.'
  const refusal = asks ? 'The bank wants the member to confirm this payment. Only they can, in Billing.' : bank
  return { status: 'unchanged', clientSecret: null, refusal }
}

/** The browser came back from the bank's confirmation, or the member left it. An unpaid upgrade ends. */
export async function settleUpgrade(
  ctx: Context,
  { person }: OnBehalf,
  { attemptId }: SettleUpgradeRequest,
): Promise<UpgradeResult> {
  const outcome = await withOwnSubscription(
    ctx,
    person,
    async () => {
      const upgrade = attemptId === undefined ? lastStarted(ctx, person) : ownUpgrade(ctx, person, attemptId)
      return upgrade.closedAt === null ? endUpgrade(ctx, upgrade, 'dropped') : upgrade.outcome
    },
    { keepsUpgrade: true, asked: 'confirmed' },
  )
  const status = outcome === 'upgraded' ? 'upgraded' : outcome === null ? 'processing' : 'unchanged'
  return { status, clientSecret: null, subscription: currentBilling(ctx, person) }
}

function ownUpgrade(ctx: Context, person: Member, attemptId: string): Upgrade {
  const upgrade = findUpgrade(ctx, attemptId, ownCustomer(ctx, person).id)
  if (upgrade === undefined) throw notFound('This upgrade')
  return upgrade
}

function lastStarted(ctx: Context, person: Member): Upgrade {
  const upgrade = findLastStarted(ctx, ownCustomer(ctx, person).id)
  if (upgrade === undefined) throw notFound('This upgrade')
  return upgrade
}

/** As it was shown: a price's period never changes. */
async function changeOf(
  ctx: Context,
  { stripeSubscriptionId: subscription, stripeItemId: item, fromPriceId, priceId: price }: Upgrade,
): Promise<provider.PriceChange> {
  const [from, to] = await Promise.all([readPrice(ctx, fromPriceId), readPrice(ctx, price)])
  return { subscription, item, price, restarts: everyOf(from) !== everyOf(to) }
}

/** The price that was shown, of a tier that's still sold. */
async function targetShown(ctx: Context, { tierSlug, priceId }: Upgrade): Promise<UpgradeTarget> {
  const { net: price, ...period } = await readPrice(ctx, priceId)
  const every = everyOf(period)
  if (every === null) throw priceChanged()
  const { slug, name } = tierToBuy(ctx, 'tierSlug', { slug: tierSlug, priceId })
  return { slug, name, price, every }
}

const priceChanged = () => new AppError('price_changed', 'The price may have changed. Check it again.')

/** Within ten minutes a renewal, another tab or an owner may have changed what we showed. */
async function assertAsShown(
  ctx: Context,
  person: Member,
  subscription: OwnSubscription,
  upgrade: Upgrade,
): Promise<void> {
  if (upgrade.closedAt !== null || isExpired(ctx, upgrade)) throw priceChanged()
  const terms = await upgradeTerms(ctx, person.id, subscription, await targetShown(ctx, upgrade))
  if (upgrade.prorationDate < terms.periodStart) throw noLongerShown(ctx, upgrade)
  const now = await provider.previewUpgrade(ctx, await changeOf(ctx, upgrade), upgrade.prorationDate)
  assertCreditPaid(ctx, subscription.id, { every: terms.every, credit: now.credit.total })
  const isSamePrice = now.net === upgrade.net && now.total === upgrade.total && now.due === upgrade.due
  if (terms.fromPriceId !== upgrade.fromPriceId || !isSamePrice) throw noLongerShown(ctx, upgrade)
}

function noLongerShown(ctx: Context, { id }: Upgrade): AppError {
  closeUpgrade(ctx, id, 'dropped')
  return priceChanged()
}
