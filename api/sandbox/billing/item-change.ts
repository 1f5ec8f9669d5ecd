import { invalid } from '#api/sandbox/errors.ts'
import type { Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { mergeMetadata } from './metadata.ts'
import { recurringPrice, taxRatesOf, withPrice } from './subscription-draft.ts'
import { itemOf } from './subscription-state.ts'

export type ItemChange = {
  deleted?: boolean | undefined
  id?: string | undefined
  price?: string | undefined
  quantity?: number | undefined
  tax_rates?: string[] | null | undefined
  metadata?: Record<string, string> | null | undefined
}

function changeItem(ctx: Context, item: SubscriptionItem, change: ItemChange): SubscriptionItem {
  if (change.id !== undefined && change.id !== item.id) {
    throw invalid(`No such subscription item: '${change.id}'`, { code: 'resource_missing', param: 'items[0][id]' })
  }
  if (change.id === undefined) {
    throw invalid('A subscription has exactly one item here: pass its id.', { param: 'items[0][id]' })
  }
  const price = change.price === undefined ? item.price : recurringPrice(ctx, change.price, 'items[0][price]')
  const { recurring } = price
  if (recurring?.interval !== item.price.recurring?.interval || price.currency !== item.price.currency) {
    throw invalid('The sandbox changes prices of the same interval and currency only.', { param: 'items[0][price]' })
  }
  return {
    ...withPrice(item, price),
    quantity: change.quantity ?? item.quantity,
    metadata: mergeMetadata(item.metadata, change.metadata),
    ...(change.tax_rates === undefined ? {} : { tax_rates: taxRatesOf(ctx, change.tax_rates, 'items[0][tax_rates]') }),
  }
}

/**
 * The one item left after the request, which changes the present item or replaces a deleted one. Null if nothing changes.
 * `costs`: its price or quantity changed.
 */
export function itemAfterChange(
  ctx: Context,
  subscription: Subscription,
  items: ItemChange[],
): { item: SubscriptionItem; costs: boolean } | null {
  const [removed] = items.filter(({ deleted }) => deleted === true)
  const [remaining, extra] = items.filter((item) => item !== removed)
  if (items.length > 0 && (remaining === undefined || extra !== undefined || (removed && remaining.id !== undefined))) {
    throw invalid('A subscription has exactly one item here.', { param: 'items' })
  }
  if (remaining === undefined) return null
  const old = itemOf(subscription)
  const changed = changeItem(ctx, old, { ...remaining, id: (removed ?? remaining).id })
  const item = removed === undefined ? changed : { ...changed, id: newId('si'), created: ctx.now }
  return { item, costs: item.price.id !== old.price.id || item.quantity !== old.quantity }
}
