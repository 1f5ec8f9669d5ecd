import type { PaymentIntent, SetupIntent, Stripe, StripeElements, StripeError } from '@stripe/stripe-js'
import { api, ask } from '#pwa/lib/api.ts'
import { BillingAddress } from '#shared/contract/billing.ts'

/** `invalid`: the card form marks what is wrong. `refused`: in the provider's words; declined means that nothing was taken. */
export type Outcome = { kind: 'done' } | { kind: 'invalid' } | { kind: 'refused'; message: string; isDeclined: boolean }

type Parts = { stripe: Stripe; elements: StripeElements }

type Payment = { clientSecret: string; holder: string; address: BillingAddress; returnUrl: string }

/** Our own invoice needs the address, so it is saved before the card is charged. */
export async function saveBillingAddress(address: BillingAddress): Promise<void> {
  await ask(BillingAddress, api.api.billing.address.put(address))
}

/** Confirms the payment, or the set-up of a card that is charged later, without leaving the page unless the bank asks. */
export async function confirmCard({ stripe, elements }: Parts, payment: Payment): Promise<Outcome> {
  const { clientSecret, holder, address, returnUrl } = payment
  const options = {
    elements,
    redirect: 'if_required' as const,
    confirmParams: {
      return_url: returnUrl,
      payment_method_data: { billing_details: { name: holder, address: providerAddress(address) } },
    },
  }
  if (clientSecret.startsWith('seti_')) {
    const { error, setupIntent } = await stripe.confirmSetup(options)
    return error ? outcomeOfError(error) : outcomeOf(setupIntent)
  }
  const { error, paymentIntent } = await stripe.confirmPayment(options)
  return error ? outcomeOfError(error) : outcomeOf(paymentIntent)
}

/** Every part must be there, empty or not: the card form was told to leave all of them out. */
const providerAddress = ({ line1, line2, town, postcode, country }: BillingAddress) => ({
  line1,
  line2: line2 ?? '',
  city: town,
  state: '',
  postal_code: postcode,
  country,
})

const tryAgain = 'Payment processing failed. Please try again.'

const isThrough = (status: string | undefined) => status === 'succeeded' || status === 'processing'

function outcomeOf(intent: PaymentIntent | SetupIntent): Outcome {
  if (isThrough(intent.status)) return { kind: 'done' }
  const failure = 'last_payment_error' in intent ? intent.last_payment_error : null
  return { kind: 'refused', message: failure?.message ?? tryAgain, isDeclined: false }
}

/** An intent that is paid already refuses a second time, also after an answer that was lost: it is done. */
function outcomeOfError(error: StripeError): Outcome {
  if (isThrough(error.payment_intent?.status) || isThrough(error.setup_intent?.status)) return { kind: 'done' }
  if (error.type === 'validation_error') return { kind: 'invalid' }
  return { kind: 'refused', message: error.message ?? tryAgain, isDeclined: error.type === 'card_error' }
}
