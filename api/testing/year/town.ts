import type Stripe from 'stripe'
import { tierSlugs } from '#shared/contract/tier.ts'
import { beginJoin } from '../joining.ts'
import type { PaymentWorld } from '../payments.ts'
import type { Draw } from '../random.ts'
import type { Call } from '../world.ts'

/** Somebody who may join, fail to pay, change, leave and come back. */
type Tradesman = { email: string; call: Call; hasBadCard: boolean }

export type Town = { world: PaymentWorld; draw: Draw; people: Tradesman[] }

export function foundTown(world: PaymentWorld, size: number, draw: Draw): Town {
  const people = Array.from({ length: size }, (_, index) => ({
    email: `trader-${index}@example.com`,
    call: from(world.call, index),
    hasBadCard: false,
  }))
  return { world, draw, people }
}

/** From an address of his own, so that nobody uses up another's share of a limit. */
const from =
  (call: Call, index: number): Call =>
  (path, options = {}) =>
    call(path, { ...options, headers: { 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}`, ...options.headers } })

/** One day in the life of everybody; about one in how many days each thing happens. */
export async function liveDay(town: Town): Promise<void> {
  for (const person of town.people) {
    const subscription = await subscriptionOf(town, person)
    if (subscription === null) await perhaps(town, 25, () => join(town, person))
    else await liveAsMember(town, person, subscription)
  }
}

async function liveAsMember(town: Town, person: Tradesman, subscription: Stripe.Subscription): Promise<void> {
  if (person.hasBadCard) await perhaps(town, 9, () => mendCard(town, person, subscription))
  else await perhaps(town, 90, () => spoilCard(town, person, subscription))
  if (subscription.cancel_at_period_end) await perhaps(town, 20, () => ask(person, '/api/billing/resume'))
  else await perhaps(town, 120, () => ask(person, '/api/billing/cancel'))
  await perhaps(town, 80, () => ask(person, '/api/billing/change-tier', { tierSlug: anyTier(town) }))
  await perhaps(town, 150, () => refund(town, subscription))
}

async function perhaps({ draw }: Town, oneIn: number, happen: () => Promise<void>): Promise<void> {
  if (draw(oneIn) === 0) await happen()
}

const anyTier = ({ draw }: Town) => tierSlugs[draw(tierSlugs.length)] ?? 'standard'

/** What he has at the provider that is not over; nothing is asked of us. */
async function subscriptionOf({ world }: Town, { email }: Tradesman): Promise<Stripe.Subscription | null> {
  const customer = world.ctx.sqlite
    .prepare<[string], { id: string }>(
      'select customers.stripeCustomerId as id from customers join users on users.id = customers.userId where email = ?',
    )
    .get(email)
  if (customer === undefined) return null
  const { data } = await world.ctx.stripe.subscriptions.list({ customer: customer.id, limit: 1 })
  return data[0] ?? null
}

async function join(town: Town, person: Tradesman): Promise<void> {
  const begun = await beginJoin(person.call, { email: person.email, name: 'Sam Field', tierSlug: anyTier(town) })
  if (begun.cookie !== '') person.call = begun.call
  await town.world.pay(begun.answer.clientSecret)
  person.hasBadCard = false
}

async function ask({ call }: Tradesman, path: string, body?: object): Promise<void> {
  const answer = await call(path, { method: 'POST', ...(body === undefined ? {} : { body }) })
  if (answer.status >= 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

const customerOf = ({ customer }: Stripe.Subscription) => (typeof customer === 'string' ? customer : customer.id)

async function payFrom({ world }: Town, subscription: Stripe.Subscription, card: string): Promise<void> {
  const { stripe } = world.ctx
  const method = await stripe.paymentMethods.attach(card, { customer: customerOf(subscription) })
  await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id })
}

async function spoilCard(town: Town, person: Tradesman, subscription: Stripe.Subscription): Promise<void> {
  await payFrom(town, subscription, 'pm_card_chargeCustomerFail')
  person.hasBadCard = true
}

async function mendCard(town: Town, person: Tradesman, subscription: Stripe.Subscription): Promise<void> {
  await payFrom(town, subscription, 'pm_card_visa')
  person.hasBadCard = false
  const { stripe } = town.world.ctx
  const { data } = await stripe.invoices.list({ subscription: subscription.id, status: 'open', limit: 1 })
  if (data[0]?.id !== undefined) await stripe.invoices.pay(data[0].id)
}

/** A part of the newest payment goes back, or what is left of it. */
async function refund({ world, draw }: Town, subscription: Stripe.Subscription): Promise<void> {
  const { stripe } = world.ctx
  const { data } = await stripe.charges.list({ customer: customerOf(subscription), limit: 100 })
  const newest = data.find(({ status }) => status === 'succeeded')
  if (newest === undefined) return
  const left = newest.amount - newest.amount_refunded
  if (left > 0) await stripe.refunds.create({ charge: newest.id, amount: 1 + draw(left) })
}
