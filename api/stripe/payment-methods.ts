import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { isRejectedByStripe, refusedParam } from './errors.ts'

/**
 * How something may be paid. Both settle immediately. The account may have others enabled that settle days later, such as Direct
 * Debit, and a membership or order would start unpaid. A card includes the account's wallets.
 */
export type PaymentMethods = readonly ('card' | 'paypal')[]

export const cardAlone: PaymentMethods = ['card']
export const cardOrPayPal: PaymentMethods = ['card', 'paypal']

/**
 * Creates something with these payment methods. If PayPal isn't enabled in the Stripe account, falls back to cards. `suffix`
 * separates the two requests' idempotency keys.
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

/** Saves a card for later charges. The browser confirms it. */
export const createSetupIntent = (
  { stripe }: HasStripe,
  customer: string,
  takes: PaymentMethods,
): Promise<Stripe.SetupIntent> =>
  createTaking(takes, (allowed_payment_method_types) =>
    stripe.setupIntents.create({ customer, usage: 'off_session', allowed_payment_method_types }),
  )

/** False if it was confirmed by now, so Stripe refuses to cancel it. */
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
