import { invalid } from '#api/sandbox/errors.ts'
import type { Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { type DiscountParams, itemRedeemer, replaceDiscounts } from './discounts.ts'
import { mergeMetadata } from './metadata.ts'
import { recurringPrice, taxRatesOf, withPrice } from './subscription-draft.ts'

export type ItemChange = {
  deleted?: boolean | undefined
  id?: string | undefined
  price?: string | undefined
  quantity?: number | undefined
  tax_rates?: string[] | null | undefined
  discounts?: DiscountParams
  metadata?: Record<string, string> | null | undefined
}

export function itemNamed({ items }: Subscription, id: string | undefined): SubscriptionItem {
  if (id === undefined) throw invalid('The sandbox adds no items: pass the id of one.', { param: 'items[0][id]' })
  const item = items.data.find((one) => one.id === id)
  if (item !== undefined) return item
  throw invalid(`No such subscription item: '${id}'`, { code: 'resource_missing', param: 'items[0][id]' })
}

function changeItem(
  ctx: Context,
  subscription: Subscription,
  item: SubscriptionItem,
  change: ItemChange,
): SubscriptionItem {
  const price = change.price === undefined ? item.price : recurringPrice(ctx, change.price, 'items[0][price]')
  const { recurring } = price
  if (recurring?.interval !== item.price.recurring?.interval || price.currency !== item.price.currency) {
    throw invalid('The sandbox changes prices of the same interval and currency only.', { param: 'items[0][price]' })
  }
  return {
    ...withPrice(item, price),
    quantity: change.quantity ?? item.quantity,
    metadata: mergeMetadata(item.metadata, change.metadata),
    ...(change.discounts === undefined
      ? {}
      : { discounts: replaceDiscounts(ctx, itemRedeemer(subscription, item), change.discounts) }),
    ...(change.tax_rates === undefined ? {} : { tax_rates: taxRatesOf(ctx, change.tax_rates, 'items[0][tax_rates]') }),
  }
}

/** What a request makes of the items. `item` takes the place of `old`, and `costs` if its price or quantity is another one. */
export type ItemsAfter = { item: SubscriptionItem; old: SubscriptionItem; items: SubscriptionItem[]; costs: boolean }

/** A request changes one item, or replaces it by a new one. Null if nothing changes. */
export function itemAfterChange(ctx: Context, subscription: Subscription, items: ItemChange[]): ItemsAfter | null {
  const [removed] = items.filter(({ deleted }) => deleted === true)
  const [remaining, extra] = items.filter((item) => item !== removed)
  if (items.length > 0 && (remaining === undefined || extra !== undefined || (removed && remaining.id !== undefined))) {
    throw invalid('The sandbox changes exactly one item.', { param: 'items' })
  }
  if (remaining === undefined) return null
  const old = itemNamed(subscription, (removed ?? remaining).id)
  const changed = changeItem(ctx, subscription, old, remaining)
  const item = removed === undefined ? changed : { ...changed, id: newId('si'), created: ctx.now }
  const all = subscription.items.data.map((one) => (one === old ? item : one))
  return { item, old, items: all, costs: item.price.id !== old.price.id || item.quantity !== old.quantity }
}
