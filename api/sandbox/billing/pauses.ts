import { invalid } from '#api/sandbox/errors.ts'
import type { Subscription } from '#api/sandbox/store/billing-objects.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import { withLines } from './invoice-lines.ts'
import { finalizeInvoice, insertDraft } from './invoices.ts'
import { createPendingItem, creditLine, prorationDraft } from './prorations.ts'
import { changeSubscription, itemOf } from './subscription-state.ts'

export type PauseParams = {
  bill_for?: { unused_time_from?: { type: 'item_current_period_start' | 'none' | 'now' } | undefined } | undefined
  invoicing_behavior: 'invoice' | 'pending_invoice_item'
}

/** Makes no invoices and begins no periods until it's resumed. */
export function pause(
  ctx: Context,
  subscription: Subscription,
  type: 'pause_requested' | 'trial_end_without_payment_method',
): Subscription {
  const paused = changeSubscription(ctx, subscription, {
    status: 'paused',
    status_details: { paused: { subscription: { type }, transitioned_at: ctx.now, type: 'subscription' } },
  })
  emitEvent(ctx, 'customer.subscription.paused', paused)
  return paused
}

/** https://docs.stripe.com/billing/subscriptions/pause#limitations */
function assertPausable({ status, schedule, pause_collection, billing_mode }: Subscription): void {
  if (schedule !== null) throw invalid('You cannot pause a subscription with an attached schedule.')
  if (billing_mode.type !== 'flexible') throw invalid('You can only pause a subscription with flexible billing mode.')
  if (pause_collection !== null) throw invalid('You cannot pause a subscription while its collection is paused.')
  if (status !== 'active') throw invalid(`You cannot pause a subscription that is ${status}.`)
}

/** Pauses on request, with a credit for what's unused from now or of the whole period, unless none is asked for. */
export function pauseSubscription(ctx: Context, subscription: Subscription, params: PauseParams): Subscription {
  assertPausable(subscription)
  const from = params.bill_for?.unused_time_from?.type ?? 'now'
  if (from !== 'none') creditUnused(ctx, subscription, from, params)
  return pause(ctx, subscription, 'pause_requested')
}

function creditUnused(
  ctx: Context,
  subscription: Subscription,
  from: 'item_current_period_start' | 'now',
  { invoicing_behavior }: PauseParams,
): void {
  const item = itemOf(subscription)
  const draft = prorationDraft(ctx, subscription)
  const line = creditLine(ctx, draft, subscription, {
    item,
    at: from === 'now' ? ctx.now : item.current_period_start,
  })
  if (line.amount === 0) return
  if (invoicing_behavior === 'invoice') {
    finalizeInvoice(ctx, insertDraft(ctx, withLines(draft, [line])), null)
    return
  }
  createPendingItem(ctx, subscription, item, line)
}
