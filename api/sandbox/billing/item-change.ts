import { invalid } from '#api/sandbox/errors.ts'
import type { Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { type DiscountParams, itemRedeemer, replaceDiscounts } from './discounts.ts'
import { mergeMetadata } from './metadata.ts'
import { itemOfPrice, recurringPrice, taxRatesOf, withPrice } from './subscription-draft.ts'
import { itemOf } from './subscription-state.ts'

export type ItemChange = {
  deleted?: boolean | undefined
  id?: string | undefined
  price?: string | undefined
  quantity?: number | undefined
  tax_rates?: string[] | null | undefined
  discounts?: DiscountParams
  metadata?: Record<string, string> | null | undefined
}

const at = (place: number, name: string) => `items[${place}][${name}]`

export function itemNamed({ items }: Pick<Subscription, 'items'>, id: string, param = at(0, 'id')): SubscriptionItem {
  const item = items.data.find((one) => one.id === id)
  if (item !== undefined) return item
  throw invalid(`No such subscription item: '${id}'`, { code: 'resource_missing', param })
}

/** An item's first period is the rest of the subscription's. */
function newItem(ctx: Context, subscription: Subscription, { price }: ItemChange, param: string): SubscriptionItem {
  if (price === undefined) throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  const { current_period_start, current_period_end } = itemOf(subscription)
  const item = itemOfPrice(ctx, subscription.id, recurringPrice(ctx, price, param))
  return { ...item, current_period_start, current_period_end }
}

function changeItem(
  ctx: Context,
  subscription: Subscription,
  item: SubscriptionItem,
  { change, place }: { change: ItemChange; place: number },
): SubscriptionItem {
  const price = change.price === undefined ? item.price : recurringPrice(ctx, change.price, at(place, 'price'))
  if (price.currency !== subscription.currency) {
    throw invalid('The sandbox takes prices of the same currency only.', { param: at(place, 'price') })
  }
  return {
    ...withPrice(item, price),
    quantity: change.quantity ?? item.quantity,
    metadata: mergeMetadata(item.metadata, change.metadata),
    ...(change.discounts === undefined
      ? {}
      : { discounts: replaceDiscounts(ctx, itemRedeemer(subscription, item), change.discounts) }),
    ...(change.tax_rates === undefined ? {} : { tax_rates: taxRatesOf(ctx, change.tax_rates, at(place, 'tax_rates')) }),
  }
}

/** `old` is null for an item that's added, and `item` for one that's removed. */
export type ChangedItem = { old: SubscriptionItem | null; item: SubscriptionItem | null }

/**
 * What a request makes of the items. `costing`: those that are prorated, for another price or quantity. `isNewInterval`: from a
 * month to a year, or back.
 */
export type ItemsAfter = { items: SubscriptionItem[]; costing: ChangedItem[]; isNewInterval: boolean }

const intervalOf = ({ price: { recurring } }: SubscriptionItem) => `${recurring?.interval} ${recurring?.interval_count}`

/** Mixed intervals: https://docs.stripe.com/billing/subscriptions/mixed-interval */
export function assertOneInterval(items: SubscriptionItem[]): void {
  if (new Set(items.map(intervalOf)).size <= 1) return
  throw invalid('The sandbox takes items of one interval only.', { param: 'items' })
}

const worth = (item: SubscriptionItem | null) => item && `${item.price.id} ${item.quantity}`

/** Items that aren't named stay as they are, and new ones come last. Null if nothing changes. */
export function itemsAfterChange(ctx: Context, subscription: Subscription, changes: ItemChange[]): ItemsAfter | null {
  if (changes.length === 0) return null
  const changed = changes.map((change, index): ChangedItem => {
    const old = change.id === undefined ? null : itemNamed(subscription, change.id, at(index, 'id'))
    if (change.deleted === true) return { old, item: null }
    const begun = old ?? newItem(ctx, subscription, change, at(index, 'price'))
    return { old, item: changeItem(ctx, subscription, begun, { change, place: index }) }
  })
  const items = [
    ...subscription.items.data.flatMap((one) => {
      const named = changed.find(({ old }) => old === one)
      return named === undefined ? one : (named.item ?? [])
    }),
    ...changed.flatMap(({ old, item }) => (old === null ? (item ?? []) : [])),
  ]
  if (items.length === 0) throw invalid('A subscription must have at least one active plan.', { param: 'items' })
  assertOneInterval(items)
  const isNewInterval = items.every((item) => intervalOf(item) !== intervalOf(itemOf(subscription)))
  return { items, costing: changed.filter(({ old, item }) => worth(old) !== worth(item)), isNewInterval }
}
