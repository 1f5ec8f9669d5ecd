import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'
import { withIdempotencyKey } from './idempotency.ts'

/** Throws if Stripe can't be reached. */
export async function findCustomerState(ctx: HasStripe, id: string): Promise<'there' | 'deleted' | 'missing'> {
  const customer = await findCustomer(ctx, id)
  if (customer === null) return 'missing'
  return customer.deleted ? 'deleted' : 'there'
}

async function findCustomer(
  { stripe }: HasStripe,
  id: string,
): Promise<Stripe.Customer | Stripe.DeletedCustomer | null> {
  try {
    return await stripe.customers.retrieve(id)
  } catch (error) {
    if (errorCodeOf(error) === 'resource_missing') return null
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

/** The address Stripe shows and writes to. Does nothing if it's there already, or the customer is gone. */
export async function setCustomerEmail(ctx: HasStripe, customerId: string, email: string): Promise<void> {
  const customer = await findCustomer(ctx, customerId)
  if (customer === null || customer.deleted || customer.email === email) return
  await ctx.stripe.customers.update(customerId, { email })
}
