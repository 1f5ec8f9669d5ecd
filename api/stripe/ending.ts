import type { Context } from '#api/context.ts'
import { isLive } from '#shared/rules/membership.ts'
import { customerState } from './customer-state.ts'
import { unlessSettled } from './failures.ts'
import { underKey } from './keys.ts'
import { idOf } from './readings.ts'
import { dropBookedChange } from './tier-change.ts'
import { cancelUnpaid, refundAndCancel, takeBackDemand } from './withdraw.ts'

/** What of a subscription decides how it is ended. */
export type Ending = { id: string; cancelAtPeriodEnd: boolean }

/** No payment after this period's. A booked change of tier would steer the subscription's end, and goes. */
export async function endWithPeriod(ctx: Context, subscriptionId: string): Promise<void> {
  await dropBookedChange(ctx, subscriptionId)
  await ctx.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
}

/** Goes on after all: with the next period it is charged again. */
export async function goOn(ctx: Context, { id, cancelAtPeriodEnd }: Ending): Promise<void> {
  await ctx.stripe.subscriptions.update(id, cancelAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' })
}

/**
 * Ends a pause: the provider makes an invoice for a period that begins now, and goes on once that is paid. Nothing is
 * charged by this. While such an invoice is open there is no second one; the key names the one before it, so that two
 * tabs get the same.
 */
export async function endPause(ctx: Context, subscriptionId: string): Promise<void> {
  const expand = ['latest_invoice']
  const { latest_invoice: last, status } = await ctx.stripe.subscriptions.retrieve(subscriptionId, { expand })
  const isAsked = typeof last === 'object' && last?.status === 'open'
  if (status !== 'paused' || isAsked) return
  await underKey(ctx, `resume:${subscriptionId}:${idOf(last)}`, (options) =>
    ctx.stripe.subscriptions.resume(subscriptionId, { payment_behavior: 'resume_on_payment_success' }, options),
  )
}

/**
 * Ends now whatever a customer has that is live, known to our rows or not: nothing more is charged after it. False where the
 * provider has no such customer.
 */
export async function endEverything(ctx: Context, customer: string): Promise<boolean> {
  if ((await customerState(ctx, customer)) === 'missing') return false
  const found = await ctx.stripe.subscriptions
    .list({ customer, status: 'all', limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  for (const { id, status } of found) {
    if (status === 'incomplete') await endUnbought(ctx, id)
    else if (isLive(status)) await endNow(ctx, id)
  }
  return true
}

/** Ends a purchase that waits for its payment; one that is paid at the last moment has bought nothing, and goes back. */
async function endUnbought(ctx: Context, subscription: string): Promise<void> {
  await cancelUnpaid(ctx, subscription)
  await refundAndCancel(ctx, subscription)
}

/** Ends it now, with what it still asks for. A draft is dropped by the customer's next reading. */
export async function endNow(ctx: Context, subscription: string): Promise<void> {
  const { data: open } = await ctx.stripe.invoices.list({ subscription, status: 'open', limit: 100 })
  await unlessSettled(() => ctx.stripe.subscriptions.cancel(subscription))
  for (const { id } of open) if (id !== undefined) await takeBackDemand(ctx, id)
}
