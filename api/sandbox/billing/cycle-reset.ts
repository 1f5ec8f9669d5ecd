import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { discountsOf } from './discounts.ts'
import { takePendingItems, withLines } from './invoice-lines.ts'
import type { ItemsAfter } from './item-change.ts'
import { creditLines, prorationDraft } from './prorations.ts'
import { periodFrom, periodLines, withPeriod } from './subscription-periods.ts'

type Change = { billing_cycle_anchor?: { type: 'now' | 'unchanged' } | undefined }

/**
 * Whether a change begins a period today. Only in `billing_mode=classic` another interval does that by itself.
 * https://docs.stripe.com/billing/subscriptions/billing-mode/compare
 */
export function beginsAnew(
  { billing_mode: mode, status }: Subscription,
  { billing_cycle_anchor: anchor }: Change,
  changed: Pick<ItemsAfter, 'isNewInterval'> | null,
): boolean {
  if (anchor?.type === 'now') {
    if (status === 'active') return true
    throw invalid('The sandbox begins the cycle of active subscriptions anew only.', { param: 'billing_cycle_anchor' })
  }
  if (changed === null || !changed.isNewInterval || status === 'trialing') return false
  if (mode.type === 'classic') return true
  throw invalid('The sandbox changes the interval in flexible billing with billing_cycle_anchor[type]=now only.', {
    param: 'billing_cycle_anchor',
  })
}

/** The items with the period that begins now. */
export function itemsFromNow(ctx: Context, subscription: Subscription, items: SubscriptionItem[]): SubscriptionItem[] {
  const anchored = { ...subscription, billing_cycle_anchor: ctx.now, items: { ...subscription.items, data: items } }
  return withPeriod(anchored, periodFrom(anchored, ctx.now)).data
}

type Reset = { items: SubscriptionItem[]; proration_behavior?: string | undefined; date: number | undefined }

/** The unsaved invoice of a cycle that begins now: a whole period, less what's unused of the old one unless nothing is prorated. */
export function cycleInvoice(
  ctx: Context,
  before: Subscription,
  { items, proration_behavior: behaviour, date }: Reset,
): Invoice {
  const draft = { ...prorationDraft(ctx, before), discounts: discountsOf(ctx, before) }
  const after = { ...before, items: { ...before.items, data: itemsFromNow(ctx, before, items) } }
  const takesPending = before.billing_mode.type === 'flexible' || behaviour !== 'always_invoice'
  return withLines(draft, [
    ...(takesPending ? takePendingItems(ctx, draft) : []),
    ...(behaviour === 'none' ? [] : creditLines(ctx, draft, before, date)),
    ...periodLines(ctx, draft, after),
  ])
}
