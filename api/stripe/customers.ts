import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'
import { withIdempotencyKey } from './idempotency.ts'

/** Throws if Stripe can't be reached. */
export async function findCustomerState({ stripe }: HasStripe, id: string): Promise<'there' | 'deleted' | 'missing'> {
  try {
    const customer = await stripe.customers.retrieve(id)
    return customer.deleted ? 'deleted' : 'there'
  } catch (error) {
    if (errorCodeOf(error) === 'resource_missing') return 'missing'
    throw error
  }
}

/** Creates a customer and returns its id. Idempotent per key. */
export async function createCustomer(
  ctx: HasStripe,
  key: string,
  params: Stripe.CustomerCreateParams,
): Promise<string> {
  const { id } = await withIdempotencyKey(ctx, `${key}:customer`, (options) =>
    ctx.stripe.customers.create(params, options),
  )
  return id
}

/** The card for anything without a card of its own. */
export async function setDefaultCard(
  { stripe }: HasStripe,
  customerId: string,
  paymentMethodId: string,
): Promise<void> {
  await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: paymentMethodId } })
}

/** The address Stripe shows and writes to. Does nothing if the customer is gone. */
export async function setCustomerEmail(ctx: HasStripe, customerId: string, email: string): Promise<void> {
  if ((await findCustomerState(ctx, customerId)) !== 'there') return
  await ctx.stripe.customers.update(customerId, { email })
}
