import Stripe from 'stripe'
import type { Context } from '#api/context.ts'

/** Whether the provider still has a customer. Throws where it cannot be asked. */
export async function findCustomerState(ctx: Context, id: string): Promise<'there' | 'deleted' | 'missing'> {
  try {
    const customer = await ctx.stripe.customers.retrieve(id)
    return customer.deleted ? 'deleted' : 'there'
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return 'missing'
    throw error
  }
}
