import type Stripe from 'stripe'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { byTheMonth } from '#api/features/sandbox/purchases-service.ts'
import { getOrCreatePrice } from '#api/stripe/prices.ts'
import { sellAtProvider } from './billing.ts'
import { sam } from './joining.ts'
import type { PaymentWorld } from './payments.ts'

/** What owners make by hand in Stripe's dashboard. Gives Stripe's ids. */
export const dashboard = (world: () => PaymentWorld) => ({
  rateOf: async (percentage: number, inclusive = false): Promise<string> =>
    (await world().ctx.stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive, country: 'GB' })).id,
  priceOfTier: (): Promise<string> => getOrCreatePrice(world().ctx, byTheMonth(world().ctx, 'standard')),
  /** A price of a product of its own. It names no tier unless told to. */
  async addOnPrice(amount = 4_000, more: Partial<Stripe.PriceCreateParams> = {}): Promise<string> {
    const { stripe } = world().ctx
    const { id: product } = await stripe.products.create({ name: 'Text messages' })
    const recurring = { interval: 'month' as const }
    return (await stripe.prices.create({ product, currency: 'gbp', unit_amount: amount, recurring, ...more })).id
  },
  /** Links a sale made in the dashboard to Sam’s account, as an owner would. */
  async sellToSam(more: Partial<Stripe.SubscriptionCreateParams>): Promise<string> {
    const { ctx } = world()
    const person = world().addMember({ email: sam.email })
    const customer = await ctx.stripe.customers.create({ email: sam.email, metadata: { userId: person.id } })
    ctx.sqlite.prepare('update customers set stripeCustomerId = ? where userId = ?').run(customer.id, person.id)
    const { id } = await sellAtProvider(world(), sam.email, { customer: customer.id, ...more })
    await syncCustomer(ctx, customer.id)
    return id
  },
})
