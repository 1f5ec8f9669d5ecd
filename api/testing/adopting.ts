import type Stripe from 'stripe'
import { acted } from './billing.ts'
import type { PaymentWorld } from './payments.ts'

type Sold = {
  email?: string | null
  /** Pence of a period. */
  amount?: number
  price?: Partial<Stripe.PriceCreateParams>
  /** Per cent. Null for no tax. */
  tax?: { percentage: number; inclusive: boolean } | null
  card?: string
  more?: Partial<Stripe.SubscriptionCreateParams>
}

/** Sells a subscription as another program would: prices and taxes of its own, and nothing that names one of our tiers. */
export async function sellElsewhere(
  { ctx, sandbox }: Pick<PaymentWorld, 'ctx' | 'sandbox'>,
  { email = 'kim@example.com', amount = 30_000, price = {}, tax = null, card = 'pm_card_visa', more = {} }: Sold = {},
): Promise<Stripe.Subscription> {
  const { stripe } = ctx
  const customer = more.customer ?? (await stripe.customers.create(email === null ? {} : { email })).id
  const method = await stripe.paymentMethods.attach(card, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
  const recurring = { interval: 'month' as const, ...price.recurring }
  const made = await stripe.prices.create({
    currency: 'gbp',
    unit_amount: amount,
    product_data: { name: 'The Club' },
    ...price,
    recurring,
  })
  const rate = tax && (await stripe.taxRates.create({ display_name: 'VAT', country: 'GB', ...tax })).id
  const subscription = await stripe.subscriptions.create({
    items: [{ price: made.id }],
    ...(rate === null ? {} : { default_tax_rates: [rate] }),
    ...more,
    customer,
  })
  await sandbox.settle()
  return subscription
}

type SoldYear = { email: string; tier: string; amount: number }

/** Sells a year in Stripe's dashboard, at a price that names its tier, and links it to a new account as an owner would. */
export async function sellYear(world: PaymentWorld, { email, tier, amount }: SoldYear) {
  const account = world.addUser({ email, firstName: 'Sam', lastName: 'Field' })
  const price = { recurring: { interval: 'year' as const }, metadata: { tier } }
  const { id } = await sellElsewhere(world, { email, amount, price, tax: { percentage: 20, inclusive: false } })
  const link = { reference: id, email, providerEmail: email }
  await acted(world.signIn(world.addOwner()), '/api/admin/subscription-links', link)
  return account
}
