import type Stripe from 'stripe'
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
