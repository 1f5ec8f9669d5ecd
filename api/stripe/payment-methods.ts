import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { isRejectedByStripe, refusedParam } from './errors.ts'

/**
 * How something may be paid. Both settle at once: the account may have others switched on, such as Direct Debit, that settle
 * days later, and a membership or an order would begin unpaid. A card brings the wallets that the account has.
 */
export type PaymentMethods = readonly ('card' | 'paypal')[]

export const cardAlone: PaymentMethods = ['card']
export const cardOrPayPal: PaymentMethods = ['card', 'paypal']

/**
 * Creates something that may be paid in these ways. PayPal has to be switched on in the provider's account: where it is not,
 * the card remains. `suffix` keeps the two requests apart under their idempotency keys.
 */
export async function createTaking<Made>(
  takes: PaymentMethods,
  create: (types: PaymentMethods[number][], suffix: string) => Promise<Made>,
): Promise<Made> {
  try {
    return await create([...takes], '')
  } catch (error) {
    if (takes.length === 1 || !refusedParam(error)?.includes('payment_method_types')) throw error
    return create([...cardAlone], ':card')
  }
}

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
