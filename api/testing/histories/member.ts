import type Stripe from 'stripe'
import { onlyCustomer } from '#api/testing/joining.ts'
import type { PaymentWorld } from '#api/testing/payments.ts'
import type { Call, World } from '#api/testing/world.ts'
import { dayOf } from '#api/testing/year/books.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import type { WebhookQueue } from './webhook-queue.ts'

/** A history's member. They act through our API, while cards act at Stripe. */
export type Member = {
  world: PaymentWorld
  webhooks: WebhookQueue
  call: Call
  owner: Call
  email: string
  /** They've begun a payment, which they may finish at its price, or are a member already. */
  hasBegun: boolean
  /** What they've been told a renewal will cost, by its day. Anything they do since makes it another sum. */
  promised: Map<string, number>
  count(what: string): void
}

export const rows = <Row>({ ctx }: World, query: string) => ctx.sqlite.prepare<[], Row>(query).all()

export const nowOf = ({ ctx }: World) => ctx.billingNow().getTime() / 1000

export type ThePrice = {
  id: string
  tierSlug: string
  every: PricePeriod
  net: number
  isSold: 0 | 1
  isOffered: 0 | 1
  version: number
  isDefault: 0 | 1
  isActive: 0 | 1
}

/** All prices of all tiers, sold or not, with what they cost today. */
export function pricesThere(world: World): ThePrice[] {
  const today = dayOf(nowOf(world))
  return rows<ThePrice & { nextPrice: string | null }>(
    world,
    `select p.id, tierSlug, every, net, nextPrice, isOffered, version, isDefault, isActive,
       isOffered and isActive and isShown as isSold
     from tier_prices p join membership_tiers t on t.slug = p.tierSlug order by orderIndex, every`,
  ).map(({ nextPrice, ...price }) => {
    const next: { net: number; from: string } | null = nextPrice === null ? null : JSON.parse(nextPrice)
    return next !== null && next.from <= today ? { ...price, net: next.net } : price
  })
}

export function pickedPrice(world: World, pick: number): ThePrice {
  const prices = pricesThere(world)
  const price = prices[pick % prices.length]
  if (price === undefined) throw new Error('There are no prices.')
  return price
}

export type Choice = { pick: number; isNamed: boolean }

/** What a call says, and the price it means: none where its tier, named alone, isn't sold by the month. */
export function chosen(world: World, { pick, isNamed }: Choice) {
  const picked = pickedPrice(world, pick)
  const { tierSlug, id: priceId } = picked
  if (isNamed) return { body: { tierSlug, priceId }, price: picked }
  return {
    body: { tierSlug },
    price: pricesThere(world).find((one) => one.tierSlug === tierSlug && one.every === 'month'),
  }
}

/** A request from Billing or an owner. Null if it's rejected because it makes no sense. */
export async function answer(call: Call, path: string, body?: object, method = 'POST') {
  const response = await call(path, { method, ...(body === undefined ? {} : { body }) })
  const text = await response.text()
  if (response.status >= 500) throw new Error(`${path}: ${response.status} ${text}`)
  return response.status === 200 ? JSON.parse(text) : null
}

export async function liveSubscription({ world }: Pick<Member, 'world'>): Promise<Stripe.Subscription | undefined> {
  const [newest] = await liveSubscriptions(world)
  return newest
}

/** Two where someone joined twice and we haven't read it yet. */
async function liveSubscriptions(world: PaymentWorld): Promise<Stripe.Subscription[]> {
  const { data } = await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })
  return data.filter(({ status }) => status !== 'incomplete_expired')
}

/** The subscription of someone who has no other. */
export async function onlySubscription({ world }: Pick<Member, 'world'>): Promise<Stripe.Subscription | undefined> {
  const [only, another] = await liveSubscriptions(world)
  return another === undefined ? only : undefined
}

export const periodEndOf = ({ items }: Stripe.Subscription) => items.data[0]?.current_period_end ?? 0

/** Pence taken so far, by any card. */
export async function takenFrom({ world }: Member): Promise<number> {
  await world.sandbox.settle()
  const { data } = await world.ctx.stripe.charges.list({ customer: onlyCustomer(world), limit: 100 })
  return data.filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0)
}
