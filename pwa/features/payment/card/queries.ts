import type { PaymentIntent, SetupIntent, Stripe, StripeElements, StripeError } from '@stripe/stripe-js'
import type { BillingAddress } from '#shared/contract/billing.ts'

/**
 * `invalid`: the card form itself marks what's wrong. `rejected`: with Stripe's message, if it's meant for people; a declined card
 * wasn't charged.
 */
export type Confirmation =
  | { kind: 'confirmed' }
  | { kind: 'invalid' }
  | { kind: 'rejected'; message: string | undefined; isDeclined: boolean }

type CardElements = { stripe: Stripe; elements: StripeElements }

type CardPayment = {
  clientSecret: string
  returnUrl: string
  holder: string
  address: BillingAddress
  email?: string | undefined
}

/** Confirms a payment, or the setup of a card to charge later. Leaves the page only if the bank requires it. */
export async function confirmCard({ stripe, elements }: CardElements, payment: CardPayment): Promise<Confirmation> {
  const { clientSecret } = payment
  return readResult(stripe, clientSecret, await confirmIntent(stripe, clientSecret, optionsFor(elements, payment)))
}

type SavedCardPayment = { clientSecret: string; paymentMethod: string; returnUrl: string }

/** The same with the payment method on file at Stripe, without typing. */
export async function confirmSavedCard(stripe: Stripe, payment: SavedCardPayment): Promise<Confirmation> {
  const { clientSecret, paymentMethod, returnUrl } = payment
  const { error, paymentIntent } = await stripe.confirmPayment({
    clientSecret,
    confirmParams: { payment_method: paymentMethod, return_url: returnUrl },
    redirect: 'if_required',
  })
  return readResult(stripe, clientSecret, error ? { error } : { intent: paymentIntent })
}

type Intent = PaymentIntent | SetupIntent
type Result = { error: StripeError; intent?: undefined } | { error?: undefined; intent: Intent }

async function readResult(stripe: Stripe, clientSecret: string, { error, intent }: Result): Promise<Confirmation> {
  if (!error) return readIntent(intent)
  if (error.type === 'validation_error') return { kind: 'invalid' }
  if (error.type === 'card_error') return { kind: 'rejected', message: error.message, isDeclined: true }
  // The response may have been lost, or this may be a retry after that: only the intent's own status counts.
  const current = await retrieveIntent(stripe, clientSecret)
  if (isPaid(current)) return { kind: 'confirmed' }
  const message = current?.status === 'canceled' ? replacedMessage : messageForPeople(error)
  return { kind: 'rejected', message, isDeclined: false }
}

/** The message of an invalid request, such as one with a removed card, is written for engineers. */
const messageForPeople = ({ type, message }: Pick<StripeError, 'type' | 'message'>) =>
  type === 'invalid_request_error' ? undefined : message

/** Another choice, most likely in another window, replaced what this form would pay. */
const replacedMessage =
  'You’ve chosen something else, so we’ve cancelled this payment. You haven’t been charged. Refresh the page to carry on.'

const isPaid = (intent: Intent | undefined) => intent?.status === 'succeeded' || intent?.status === 'processing'

/** A SetupIntent saves a card to charge later; anything else is a payment. */
const isSetup = (clientSecret: string) => clientSecret.startsWith('seti_')

function readIntent(intent: Intent): Confirmation {
  if (isPaid(intent)) return { kind: 'confirmed' }
  const failure = 'last_payment_error' in intent ? intent.last_payment_error : null
  return { kind: 'rejected', message: failure ? messageForPeople(failure) : undefined, isDeclined: false }
}

type ConfirmOptions = ReturnType<typeof optionsFor>

async function confirmIntent(stripe: Stripe, clientSecret: string, options: ConfirmOptions): Promise<Result> {
  if (isSetup(clientSecret)) {
    const { error, setupIntent } = await stripe.confirmSetup(options)
    return error ? { error } : { intent: setupIntent }
  }
  const { error, paymentIntent } = await stripe.confirmPayment(options)
  return error ? { error } : { intent: paymentIntent }
}

async function retrieveIntent(stripe: Stripe, clientSecret: string): Promise<Intent | undefined> {
  if (isSetup(clientSecret)) return (await stripe.retrieveSetupIntent(clientSecret)).setupIntent
  return (await stripe.retrievePaymentIntent(clientSecret)).paymentIntent
}

const optionsFor = (elements: StripeElements, { holder, address, email, returnUrl }: CardPayment) => ({
  elements,
  redirect: 'if_required' as const,
  confirmParams: {
    return_url: returnUrl,
    payment_method_data: {
      billing_details: { name: holder, ...(email && { email }), address: toProviderAddress(address) },
    },
  },
})

/** Stripe requires every part, even if empty, because we told its card form to ask for none of them. */
const toProviderAddress = ({ line1, line2, town, postcode, country }: BillingAddress) => ({
  line1,
  line2: line2 ?? '',
  city: town,
  state: '',
  postal_code: postcode,
  country,
})
