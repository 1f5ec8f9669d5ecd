import type { Stripe } from '@stripe/stripe-js'
import { expect, test } from 'vitest'
import { confirmSavedCard } from './queries.ts'

const refusing = (type: string, message: string) =>
  ({
    confirmPayment: async () => ({ error: { type, message } }),
    retrievePaymentIntent: async () => ({ paymentIntent: { status: 'requires_payment_method' } }),
  }) as unknown as Stripe

const pay = (stripe: Stripe) =>
  confirmSavedCard(stripe, { clientSecret: 'pi_1_secret_2', paymentMethod: 'pm_gone', returnUrl: 'http://localhost/' })

test('a card that was taken off the account is not explained in the words of the provider’s engineers', async () => {
  const technical = 'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment.'
  expect(await pay(refusing('invalid_request_error', technical))).toEqual({
    kind: 'rejected',
    message: undefined,
    isDeclined: false,
  })
  expect(await pay(refusing('card_error', 'Your card was declined.'))).toMatchObject({
    message: 'Your card was declined.',
  })
})
