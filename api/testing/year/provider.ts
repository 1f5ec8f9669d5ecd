import type Stripe from 'stripe'
import type { SimulatedPerson, Simulation } from './simulation.ts'

const customerOf = ({ customer }: Stripe.Subscription) => (typeof customer === 'string' ? customer : customer.id)

async function payFrom({ world }: Simulation, subscription: Stripe.Subscription, card: string): Promise<void> {
  const { stripe } = world.ctx
  const method = await stripe.paymentMethods.attach(card, { customer: customerOf(subscription) })
  await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id })
}

export async function setFailingCard(
  simulation: Simulation,
  person: SimulatedPerson,
  subscription: Stripe.Subscription,
): Promise<void> {
  await payFrom(simulation, subscription, 'pm_card_chargeCustomerFail')
  person.hasBadCard = true
}

export async function repairCard(
  simulation: Simulation,
  person: SimulatedPerson,
  subscription: Stripe.Subscription,
): Promise<void> {
  await payFrom(simulation, subscription, 'pm_card_visa')
  person.hasBadCard = false
  const id = await openInvoice(simulation, subscription)
  if (id !== undefined) await simulation.world.ctx.stripe.invoices.pay(id)
}

async function openInvoice({ world }: Simulation, { id }: Stripe.Subscription): Promise<string | undefined> {
  const { data } = await world.ctx.stripe.invoices.list({ subscription: id, status: 'open', limit: 1 })
  return data[0]?.id
}

export async function closeOpenInvoice(simulation: Simulation, subscription: Stripe.Subscription): Promise<void> {
  const { stripe } = simulation.world.ctx
  const id = await openInvoice(simulation, subscription)
  if (id === undefined) return
  if (simulation.draw(2) === 0) await stripe.invoices.voidInvoice(id)
  else await stripe.invoices.markUncollectible(id)
}

const coupons = [
  { id: 'TENTH', percent_off: 10, duration: 'forever' },
  { id: 'QUARTER', percent_off: 25, duration: 'repeating', duration_in_months: 2 },
  { id: 'TWENTY', amount_off: 2_000, currency: 'gbp', duration: 'once' },
] as const

export async function discount({ world, draw }: Simulation, { id }: Stripe.Subscription): Promise<void> {
  const { stripe } = world.ctx
  const coupon = coupons[draw(coupons.length)] ?? coupons[0]
  const { data } = await stripe.coupons.list()
  if (!data.some((known) => known.id === coupon.id)) await stripe.coupons.create(coupon)
  await stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] })
}

export async function refundPart({ world, draw }: Simulation, customer: string | null): Promise<void> {
  if (customer === null) return
  const { stripe } = world.ctx
  const { data } = await stripe.charges.list({ customer, limit: 100 })
  const newest = data.find(({ status }) => status === 'succeeded')
  if (newest === undefined) return
  const left = newest.amount - newest.amount_refunded
  if (left > 0) await stripe.refunds.create({ charge: newest.id, amount: draw(3) === 0 ? left : 1 + draw(left) })
}
