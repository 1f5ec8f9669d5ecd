import type { PaymentIntent, SetupIntent, Stripe, StripeElements, StripeError } from '@stripe/stripe-js'
import type { BillingAddress } from '#shared/contract/billing.ts'

/** `invalid`: the card form marks what is wrong. `refused`: in the provider's words; declined means that nothing was taken. */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'invalid' }
  | { kind: 'refused'; message: string | undefined; isDeclined: boolean }

type Parts = { stripe: Stripe; elements: StripeElements }

export type Payer = { holder: string; address: BillingAddress; email?: string | undefined }

type Payment = Payer & { clientSecret: string; returnUrl: string }

/** Confirms the payment, or the set-up of a card that is charged later, without leaving the page unless the bank asks. */
export async function confirmCard({ stripe, elements }: Parts, payment: Payment): Promise<Outcome> {
  const { clientSecret } = payment
  return read(stripe, clientSecret, await confirmIntent(stripe, clientSecret, optionsFor(elements, payment)))
}

type SavedPayment = { clientSecret: string; paymentMethod: string; returnUrl: string }

/** The same with what is on file at the provider: nothing is typed. */
export async function confirmSaved(stripe: Stripe, payment: SavedPayment): Promise<Outcome> {
  const { clientSecret, paymentMethod, returnUrl } = payment
  const { error, paymentIntent } = await stripe.confirmPayment({
    clientSecret,
    confirmParams: { payment_method: paymentMethod, return_url: returnUrl },
    redirect: 'if_required',
  })
  return read(stripe, clientSecret, error ? { error } : { intent: paymentIntent })
}

async function read(stripe: Stripe, clientSecret: string, { error, intent }: Confirmed): Promise<Outcome> {
  if (!error) return outcomeOf(intent)
  if (error.type === 'validation_error') return { kind: 'invalid' }
  // An answer that was lost, or a second try after it: what the intent says now is what counts.
  if (error.type === 'card_error') return { kind: 'refused', message: error.message, isDeclined: true }
  const now = await intentNow(stripe, clientSecret)
  if (isThrough(now)) return { kind: 'done' }
  return { kind: 'refused', message: now?.status === 'canceled' ? gaveWay : error.message, isDeclined: false }
}

/** Another choice, in another window most likely, took the place of what this form would pay. */
const gaveWay = 'This payment has given way to another choice of yours. Nothing has been taken. Please reload the page.'

type Options = ReturnType<typeof optionsFor>
type Intent = PaymentIntent | SetupIntent
type Confirmed = { error: StripeError; intent?: undefined } | { error?: undefined; intent: Intent }

/** A set-up saves a card that is charged later; anything else is a payment. */
const isSetup = (clientSecret: string) => clientSecret.startsWith('seti_')

async function confirmIntent(stripe: Stripe, clientSecret: string, options: Options): Promise<Confirmed> {
  if (isSetup(clientSecret)) {
    const { error, setupIntent } = await stripe.confirmSetup(options)
    return error ? { error } : { intent: setupIntent }
  }
  const { error, paymentIntent } = await stripe.confirmPayment(options)
  return error ? { error } : { intent: paymentIntent }
}

const isThrough = (intent: Intent | undefined) => intent?.status === 'succeeded' || intent?.status === 'processing'

async function intentNow(stripe: Stripe, clientSecret: string): Promise<Intent | undefined> {
  if (isSetup(clientSecret)) return (await stripe.retrieveSetupIntent(clientSecret)).setupIntent
  return (await stripe.retrievePaymentIntent(clientSecret)).paymentIntent
}

const optionsFor = (elements: StripeElements, { holder, address, email, returnUrl }: Payment) => ({
  elements,
  redirect: 'if_required' as const,
  confirmParams: {
    return_url: returnUrl,
    payment_method_data: {
      billing_details: { name: holder, ...(email && { email }), address: providerAddress(address) },
    },
  },
})

/** Every part must be there, empty or not: the card form was told to leave all of them out. */
const providerAddress = ({ line1, line2, town, postcode, country }: BillingAddress) => ({
  line1,
  line2: line2 ?? '',
  city: town,
  state: '',
  postal_code: postcode,
  country,
})

function outcomeOf(intent: Intent): Outcome {
  if (isThrough(intent)) return { kind: 'done' }
  const failure = 'last_payment_error' in intent ? intent.last_payment_error : null
  return { kind: 'refused', message: failure?.message, isDeclined: false }
}
