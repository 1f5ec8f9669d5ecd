import type Stripe from 'stripe'
import type { Town, Tradesman } from './town.ts'

/** What cards, banks and the owners' hands do at the provider itself. */

const customerOf = ({ customer }: Stripe.Subscription) => (typeof customer === 'string' ? customer : customer.id)

async function payFrom({ world }: Town, subscription: Stripe.Subscription, card: string): Promise<void> {
  const { stripe } = world.ctx
  const method = await stripe.paymentMethods.attach(card, { customer: customerOf(subscription) })
  await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id })
}

export async function spoilCard(town: Town, person: Tradesman, subscription: Stripe.Subscription): Promise<void> {
  await payFrom(town, subscription, 'pm_card_chargeCustomerFail')
  person.hasBadCard = true
}

export async function mendCard(town: Town, person: Tradesman, subscription: Stripe.Subscription): Promise<void> {
  await payFrom(town, subscription, 'pm_card_visa')
  person.hasBadCard = false
  const id = await openInvoice(town, subscription)
  if (id !== undefined) await town.world.ctx.stripe.invoices.pay(id)
}

async function openInvoice({ world }: Town, { id }: Stripe.Subscription): Promise<string | undefined> {
  const { data } = await world.ctx.stripe.invoices.list({ subscription: id, status: 'open', limit: 1 })
  return data[0]?.id
}

/** A demand that is not asked for any longer. */
export async function closeInvoice(town: Town, subscription: Stripe.Subscription): Promise<void> {
  const { stripe } = town.world.ctx
  const id = await openInvoice(town, subscription)
  if (id === undefined) return
  if (town.draw(2) === 0) await stripe.invoices.voidInvoice(id)
  else await stripe.invoices.markUncollectible(id)
}

/** For ever, for two months, or off the next payment alone. */
const coupons = [
  { id: 'TENTH', percent_off: 10, duration: 'forever' },
  { id: 'QUARTER', percent_off: 25, duration: 'repeating', duration_in_months: 2 },
  { id: 'TWENTY', amount_off: 2_000, currency: 'gbp', duration: 'once' },
] as const

export async function discount({ world, draw }: Town, { id }: Stripe.Subscription): Promise<void> {
  const { stripe } = world.ctx
  const coupon = coupons[draw(coupons.length)] ?? coupons[0]
  const { data } = await stripe.coupons.list()
  if (!data.some((known) => known.id === coupon.id)) await stripe.coupons.create(coupon)
  await stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] })
}

/** A part of the customer's newest payment goes back, or what is left of it. */
export async function giveBack({ world, draw }: Town, customer: string | null): Promise<void> {
  if (customer === null) return
  const { stripe } = world.ctx
  const { data } = await stripe.charges.list({ customer, limit: 100 })
  const newest = data.find(({ status }) => status === 'succeeded')
  if (newest === undefined) return
  const left = newest.amount - newest.amount_refunded
  if (left > 0) await stripe.refunds.create({ charge: newest.id, amount: draw(3) === 0 ? left : 1 + draw(left) })
}
