import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { isRejectedByStripe } from '#api/stripe/errors.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'

type CustomerOfCard = Customer & { stripeCustomerId: string }

/** A set-up of another card, for the browser to confirm. One that was begun and not confirmed goes on. */
export async function beginCardChange(ctx: Context, customer: CustomerOfCard): Promise<string> {
  for (const id of openChanges(ctx, customer.id)) {
    const begun = await ctx.stripe.setupIntents.retrieve(id)
    if (begun.status.startsWith('requires_') && begun.client_secret !== null) return begun.client_secret
  }
  const setup = await ctx.stripe.setupIntents.create({
    customer: customer.stripeCustomerId,
    usage: 'off_session',
  })
  ctx.sqlite
    .prepare('insert into card_changes (stripeSetupIntentId, customerId, openedAt) values (?, ?, ?)')
    .run(setup.id, customer.id, ctx.billingNow().toISOString())
  if (setup.client_secret === null) throw new Error(`Set-up ${setup.id} came without its secret`)
  return setup.client_secret
}

/**
 * Makes the card of every confirmed set-up the one that is charged: of the subscription and of the customer. Returns
 * whether there was one. Every step may be repeated.
 */
export async function settleCardChanges(ctx: Context, customer: Customer): Promise<boolean> {
  let hasSettled = false
  for (const id of openChanges(ctx, customer.id)) {
    const setup = await ctx.stripe.setupIntents.retrieve(id)
    if (setup.status === 'succeeded') {
      await chargeThisCard(ctx, customer, setup)
      closeChange(ctx, id, 'succeeded')
      hasSettled = true
    }
    if (setup.status === 'canceled') closeChange(ctx, id, 'canceled')
  }
  return hasSettled
}

/** The subscription's card outranks the customer's at the provider, so both are set. */
async function chargeThisCard(ctx: Context, customer: Customer, setup: Stripe.SetupIntent): Promise<void> {
  const [card, owner] = [idOf(setup.payment_method), idOf(setup.customer)]
  if (card === null || owner === null) return
  const live = ctx.sqlite
    .prepare<[string], { id: string }>(
      `select id from subscriptions where customerId = ? and status not in ('canceled', 'incomplete_expired')`,
    )
    .get(customer.id)
  if (live !== undefined) {
    try {
      await ctx.stripe.subscriptions.update(live.id, { default_payment_method: card })
    } catch (error) {
      // It ended in the meantime; the customer keeps the card.
      if (!isRejectedByStripe(error)) throw error
    }
  }
  await ctx.stripe.customers.update(owner, { invoice_settings: { default_payment_method: card } })
}

/** Cancels set-ups at the provider that were begun before `before` and never confirmed. Returns how many. */
export async function abandonCardChanges(ctx: Context, before: Date): Promise<number> {
  const old = ctx.sqlite
    .prepare<[string], { id: string }>(
      'select stripeSetupIntentId as id from card_changes where closedAt is null and openedAt < ?',
    )
    .all(before.toISOString())
  let abandoned = 0
  for (const { id } of old) {
    try {
      await ctx.stripe.setupIntents.cancel(id, { cancellation_reason: 'abandoned' })
      closeChange(ctx, id, 'abandoned')
      abandoned += 1
    } catch (error) {
      // Confirmed after all: the customer's next reading takes the card.
      if (!isRejectedByStripe(error)) throw error
    }
  }
  return abandoned
}

/** In the order in which they were begun: the last one confirmed is the one that stays. */
const openChanges = (ctx: Context, customerId: string): string[] =>
  ctx.sqlite
    .prepare<[string], { id: string }>(
      `select stripeSetupIntentId as id from card_changes where customerId = ? and closedAt is null
       order by rowid`,
    )
    .all(customerId)
    .map(({ id }) => id)

function closeChange(ctx: Context, id: string, outcome: 'succeeded' | 'canceled' | 'abandoned'): void {
  ctx.sqlite
    .prepare('update card_changes set closedAt = ?, outcome = ? where stripeSetupIntentId = ? and closedAt is null')
    .run(ctx.billingNow().toISOString(), outcome, id)
}
