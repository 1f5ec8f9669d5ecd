import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { isRejectedByStripe } from './errors.ts'
import { createTaking, type PaymentMethods } from './payment-methods.ts'

/** The set-up of a card that is charged later; the browser confirms it. */
export const createSetupIntent = (
  { stripe }: HasStripe,
  customer: string,
  takes: PaymentMethods,
): Promise<Stripe.SetupIntent> =>
  createTaking(takes, (allowed_payment_method_types) =>
    stripe.setupIntents.create({ customer, usage: 'off_session', allowed_payment_method_types }),
  )

/** False where it was confirmed in the meantime, so that the provider refuses to cancel it. */
export async function cancelSetupIntent(
  { stripe }: HasStripe,
  id: string,
  params?: Stripe.SetupIntentCancelParams,
): Promise<boolean> {
  try {
    await stripe.setupIntents.cancel(id, params)
    return true
  } catch (error) {
    if (isRejectedByStripe(error)) return false
    throw error
  }
}
