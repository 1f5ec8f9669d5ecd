import { refusedParam } from './errors.ts'

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
