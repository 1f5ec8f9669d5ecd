import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { cardChanges } from '#api/db/schema/subscriptions.ts'
import { setDefaultCard } from '#api/stripe/customers.ts'
import { isRejectedByStripe } from '#api/stripe/errors.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { cancelSetupIntent, cardAlone, createSetupIntent } from '#api/stripe/payment-methods.ts'
import { setSubscriptionCard } from '#api/stripe/subscriptions.ts'
import { findLiveSubscription } from './queries.ts'

/** Starts a setup for another card, which the browser confirms. Returns its client secret. Reuses an unconfirmed one. */
export async function beginCardChange(
  ctx: Context,
  { id: customerId, stripeCustomerId }: { id: string; stripeCustomerId: string },
  takes = cardAlone,
): Promise<string> {
  for (const id of listOpenChanges(ctx, customerId)) {
    const begun = await ctx.stripe.setupIntents.retrieve(id)
    if (begun.status.startsWith('requires_') && begun.client_secret !== null) return begun.client_secret
  }
  const setup = await createSetupIntent(ctx, stripeCustomerId, takes)
  const openedAt = ctx.billingNow().toISOString()
  insertRow(ctx, cardChanges, { stripeSetupIntentId: setup.id, customerId, openedAt })
  if (setup.client_secret === null) throw new Error(`Set-up ${setup.id} came without its secret`)
  return setup.client_secret
}

/** Makes each confirmed setup's card the default, on subscription and customer. True if there was one. Safe to repeat. */
export async function settleCardChanges(ctx: Context, customer: Customer): Promise<boolean> {
  let hasSettled = false
  for (const id of listOpenChanges(ctx, customer.id)) {
    const setup = await ctx.stripe.setupIntents.retrieve(id)
    if (setup.status === 'succeeded') {
      hasSettled = (await settleChange(ctx, customer, setup)) || hasSettled
    }
    if (setup.status === 'canceled') closeChange(ctx, id, 'canceled')
  }
  return hasSettled
}

/** Returns whether the default card changed. A refused card was detached: close its setup, or every later sync would fail. */
async function settleChange(ctx: Context, customer: Customer, setup: Stripe.SetupIntent): Promise<boolean> {
  const { isTaken, hasChanged } = await chargeCardOf(ctx, customer, setup)
  transact(ctx, () => {
    const isClosed = closeChange(ctx, setup.id, isTaken ? 'succeeded' : 'canceled')
    if (isClosed && hasChanged) recordChange(ctx, customer)
  })
  return hasChanged
}

/** The subscription's card outranks the customer's, so set both. If the second is refused, the first is already set. */
async function chargeCardOf(ctx: Context, customer: Customer, setup: Stripe.SetupIntent) {
  const [card, owner] = [idOf(setup.payment_method), idOf(setup.customer)]
  if (card === null || owner === null) return { isTaken: true, hasChanged: true }
  const live = findLiveSubscription(ctx, customer.id)
  const isOfSubscription = live !== undefined && (await setSubscriptionCard(ctx, live.id, card))
  try {
    await setDefaultCard(ctx, owner, card)
    return { isTaken: true, hasChanged: true }
  } catch (error) {
    if (!isRejectedByStripe(error)) throw error
    return { isTaken: false, hasChanged: isOfSubscription }
  }
}

const changesBefore = preparedQuery<{ before: string }>()((db, { before }) =>
  db
    .select({ id: cardChanges.stripeSetupIntentId })
    .from(cardChanges)
    .where(and(isNull(cardChanges.closedAt), lt(cardChanges.openedAt, before))),
)

/** Cancels setups started before `before` and never confirmed, at the provider. Returns how many. */
export async function abandonCardChanges(ctx: Context, before: Date): Promise<number> {
  let abandoned = 0
  for (const { id } of changesBefore.all(ctx, { before: before.toISOString() })) {
    // One that was confirmed after all stays open, and the customer's next sync takes its card.
    if (!(await cancelSetupIntent(ctx, id, { cancellation_reason: 'abandoned' }))) continue
    closeChange(ctx, id, 'abandoned')
    abandoned += 1
  }
  return abandoned
}

/** In order of start, so that the last card confirmed wins. */
const openChangesOfCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ id: cardChanges.stripeSetupIntentId })
    .from(cardChanges)
    .where(and(eq(cardChanges.customerId, customerId), isNull(cardChanges.closedAt)))
    .orderBy(asc(sql`rowid`)),
)

const listOpenChanges = (ctx: Context, customerId: string): string[] =>
  openChangesOfCustomer.all(ctx, { customerId }).map(({ id }) => id)

export const hasOpenChange = (ctx: Context, customerId: string): boolean => listOpenChanges(ctx, customerId).length > 0

const close = preparedQuery<{ id: string; closedAt: string; outcome: string }>()((db, { id, closedAt, outcome }) =>
  db
    .update(cardChanges)
    .set({ closedAt, outcome })
    .where(and(eq(cardChanges.stripeSetupIntentId, id), isNull(cardChanges.closedAt))),
)

/** Returns whether it was still open. */
const closeChange = (ctx: Context, id: string, outcome: 'succeeded' | 'canceled' | 'abandoned'): boolean =>
  close.run(ctx, { id, closedAt: ctx.billingNow().toISOString(), outcome }).changes === 1

function recordChange(ctx: Context, { userId }: Customer): void {
  audit(ctx, userId === null ? 'system' : `user:${userId}`, 'card.change', { targetId: userId })
}
