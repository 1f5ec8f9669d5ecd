import * as v from 'valibot'
import type { TierSlug } from '#shared/contract/tier.ts'
import type { AdoptionFacts, PriceFacts, TaxSide } from '#shared/rules/adoption.ts'
import { vatRate } from '#shared/rules/money.ts'
import type { HasStripe } from './client.ts'
import { toInstantOrNull } from './ids-and-times.ts'

/** How a subscription another program sold became ours. An owner named the tier of its price. */
export type Adoption = { tierSlug: TierSlug; stripePriceId: string; adoptedAt: string }

/** By subscription, for one customer. */
export type Adoptions = ReadonlyMap<string, Adoption>

/*
 * Subscriptions of any age and API version: before 2019 they had `plan`, `billing` and `tax_percent`, and until 2025 the period
 * was the subscription's own. So this reads what's there and takes nothing for granted.
 */

const text = v.nullish(v.string())
const number = v.nullish(v.number())
const flag = v.nullish(v.boolean())
const tags = v.nullish(v.record(v.string(), v.string()))
const presence = v.nullish(v.unknown())

const Rate = v.object({ percentage: v.number(), inclusive: v.boolean() })

const Price = v.object({
  id: v.string(),
  currency: v.string(),
  nickname: text,
  name: text,
  unit_amount: number,
  amount: number,
  recurring: v.nullish(v.object({ interval: text, interval_count: number, usage_type: text })),
  interval: text,
  interval_count: number,
  usage_type: text,
  billing_scheme: text,
  transform_quantity: presence,
  transform_usage: presence,
  tax_behavior: text,
  metadata: tags,
})

const Item = v.object({
  price: v.nullish(Price),
  plan: v.nullish(Price),
  quantity: number,
  tax_rates: v.nullish(v.array(Rate)),
  current_period_end: number,
})

/** A payment method, or a card or source from before there were any. */
const Method = v.nullish(
  v.union([
    v.string(),
    v.object({ object: text, type: text, customer: v.nullish(v.union([v.string(), v.object({ id: v.string() })])) }),
  ]),
)

const Customer = v.object({
  id: v.string(),
  deleted: flag,
  email: text,
  name: text,
  default_source: Method,
  invoice_settings: v.nullish(v.object({ default_payment_method: Method })),
})

const Subscription = v.object({
  id: v.string(),
  status: v.string(),
  customer: v.union([v.string(), Customer]),
  items: v.object({ data: v.array(Item), has_more: flag }),
  quantity: number,
  default_tax_rates: v.nullish(v.array(Rate)),
  tax_percent: number,
  automatic_tax: v.nullish(v.object({ enabled: flag })),
  collection_method: text,
  billing: text,
  pause_collection: presence,
  schedule: presence,
  pending_update: presence,
  pending_setup_intent: v.nullish(v.union([v.string(), v.object({ status: text, payment_method: Method })])),
  transfer_data: presence,
  on_behalf_of: presence,
  default_payment_method: Method,
  default_source: Method,
  current_period_end: number,
  cancel_at: number,
  cancel_at_period_end: flag,
  application: v.nullish(v.union([v.string(), v.object({ id: v.string(), name: text })])),
  application_fee_percent: number,
  discount: presence,
  discounts: v.nullish(v.array(v.unknown())),
})
type Subscription = v.InferOutput<typeof Subscription>
type Item = v.InferOutput<typeof Item>
type Method = v.InferOutput<typeof Method>

/** Has to be expanded for a subscription's facts. */
export const expandedForAdoption = [
  'customer.invoice_settings.default_payment_method',
  'customer.default_source',
  'default_payment_method',
  'default_source',
  'pending_setup_intent',
  'application',
]

/** What decides whether we can adopt a subscription, from Stripe's object of any API version. */
export function adoptionFacts(ctx: KnowsTiers, subscription: unknown): AdoptionFacts {
  const read = v.parse(Subscription, subscription)
  const [item] = read.items.data
  const customer = typeof read.customer === 'string' ? { id: read.customer } : read.customer
  const method = methodOf(read)
  const paidUntil = toInstantOrNull(item?.current_period_end ?? read.current_period_end)
  return {
    id: read.id,
    customer: customer.id,
    ...addressOf(read),
    status: read.status,
    isSettled: method !== null && isSetUp(read),
    items: read.items.data.length + (read.items.has_more === true ? 1 : 0),
    quantity: item?.quantity ?? read.quantity ?? 1,
    price: item === undefined ? null : priceOf(ctx, item),
    tax: taxSide(read, item),
    isInvoiced: (read.collection_method ?? read.billing) === 'send_invoice',
    isCollectionPaused: isThere(read.pause_collection),
    hasSchedule: isThere(read.schedule),
    hasPendingUpdate: isThere(read.pending_update),
    paysOthers: isThere(read.transfer_data) || isThere(read.on_behalf_of),
    method,
    paidUntil,
    endsAt: toInstantOrNull(read.cancel_at) ?? (read.cancel_at_period_end === true ? paidUntil : null),
    application: applicationOf(read),
    applicationFee: read.application_fee_percent ?? null,
    hasDiscount: isThere(read.discount) || (read.discounts ?? []).length > 0,
  }
}

const isThere = (value: unknown) => value !== null && value !== undefined

function addressOf({ customer }: Subscription) {
  if (typeof customer === 'string') return { email: null, name: null, isCustomerDeleted: false }
  const email = customer.email?.trim().toLowerCase() || null
  return { email, name: customer.name?.trim() || null, isCustomerDeleted: customer.deleted === true }
}

const intervals = ['day', 'week', 'month', 'year'] as const

type KnowsTiers = Pick<HasStripe, 'isTier'>

function priceOf({ isTier }: KnowsTiers, { price, plan }: Item): PriceFacts | null {
  const found = price ?? plan
  if (found === null || found === undefined) return null
  const { recurring } = found
  const usage = recurring?.usage_type ?? found.usage_type
  const scheme = found.billing_scheme ?? 'per_unit'
  const isFixed =
    usage !== 'metered' &&
    scheme === 'per_unit' &&
    !isThere(found.transform_quantity) &&
    !isThere(found.transform_usage)
  const interval = recurring?.interval ?? found.interval
  return {
    id: found.id,
    name: found.nickname || found.name || null,
    amount: isFixed ? (found.unit_amount ?? found.amount ?? null) : null,
    currency: found.currency,
    interval: intervals.find((known) => known === interval) ?? 'month',
    intervalCount: recurring?.interval_count ?? found.interval_count ?? 1,
    ownTier: ownTierIn(isTier, found.metadata?.tier),
  }
}

const ownTierIn = (isTier: KnowsTiers['isTier'], tier: unknown): TierSlug | null =>
  typeof tier === 'string' && isTier(tier) ? tier : null

/** An item's own rates take the place of the subscription's. Stripe Tax adds what the law asks for unless the price includes it. */
function taxSide({ default_tax_rates, tax_percent, automatic_tax }: Subscription, item: Item | undefined): TaxSide {
  if (item?.price?.tax_behavior === 'inclusive') return 'inside'
  if (automatic_tax?.enabled === true) return 'on_top'
  const own = item?.tax_rates ?? []
  const given = own.length > 0 ? own : (default_tax_rates ?? [])
  const old = tax_percent ? [{ percentage: tax_percent, inclusive: false }] : []
  const rates = (given.length > 0 ? given : old).filter(({ percentage }) => percentage > 0)
  if (rates.length === 0) return 'none'
  const [rate] = rates
  if (rates.length > 1 || rate?.percentage !== vatRate) return 'other'
  return rate.inclusive ? 'inside' : 'on_top'
}

/** In the order in which Stripe looks for what to charge. */
function methodOf({ customer, ...subscription }: Subscription): string | null {
  const own = typeof customer === 'string' ? null : customer
  const setup = subscription.pending_setup_intent
  const settled = typeof setup === 'object' && setup?.status === 'succeeded' ? setup.payment_method : null
  const places = [
    subscription.default_payment_method,
    subscription.default_source,
    settled,
    own?.invoice_settings?.default_payment_method,
    own?.default_source,
  ]
  for (const place of places) {
    const type = typeOf(place)
    if (type !== null) return type
  }
  return null
}

/** A bare id is a card's unless it says otherwise. A detached method isn't charged any more. */
function typeOf(method: Method): string | null {
  if (method === null || method === undefined || method === '') return null
  if (typeof method === 'string') return method.startsWith('ba_') ? 'bank_account' : 'card'
  if (method.object === 'payment_method' && !isThere(method.customer)) return null
  return method.type ?? method.object ?? null
}

const isSetUp = ({ pending_setup_intent: setup }: Subscription) =>
  !isThere(setup) || (typeof setup === 'object' && setup?.status === 'succeeded')

function applicationOf({ application }: Subscription): string | null {
  if (!isThere(application)) return null
  return typeof application === 'string' ? application : (application?.name ?? application?.id ?? null)
}
