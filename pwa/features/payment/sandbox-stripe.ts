import { type CardElement, type CardElementOptions, createCardElement } from './sandbox-card-element.tsx'
import { confirmIntent, type FormTree, readIntent, type SandboxError, type SandboxResult } from './sandbox-requests.ts'

type ElementsOptions = { clientSecret?: string }

type ConfirmOptions = {
  elements?: SandboxElements
  clientSecret?: string
  confirmParams?: {
    return_url?: string
    /** On file: no card form then. */
    payment_method?: string
    payment_method_data?: { billing_details?: FormTree }
  }
}

type SandboxElements = ReturnType<typeof createElements>

const incomplete: SandboxError = { type: 'validation_error', message: 'Please check your card details.' }
const notHere: SandboxError = { type: 'invalid_request_error', message: 'The payment sandbox does not offer this.' }

/** Stripe's `elements` group with the one element that the site uses. */
function createElements({ clientSecret = '' }: ElementsOptions) {
  let card: CardElement | null = null
  return {
    clientSecret,
    create: (_type: string, options?: CardElementOptions) => {
      card = createCardElement(options)
      return card
    },
    getElement: () => card,
    card: () => card,
    submit: async () => (card?.read() ? {} : { error: incomplete }),
    update: () => {},
    fetchUpdates: async () => ({}),
    on: () => {},
    off: () => {},
    once: () => {},
  }
}

/** Stripe.js calls the intent by its kind. */
const named = (name: 'paymentIntent' | 'setupIntent', result: SandboxResult) =>
  'error' in result ? result : { [name]: result.intent }

/**
 * A `Stripe` object for the payment sandbox, with what React Stripe.js 7 looks for and what the site calls. It talks to
 * the sandbox through our own origin, in Stripe's paths, encoding and shapes.
 */
export function createSandboxStripe(publishableKey: string) {
  const confirm = async ({ elements, clientSecret, confirmParams }: ConfirmOptions): Promise<SandboxResult> => {
    const { return_url, payment_method, payment_method_data } = confirmParams ?? {}
    const secret = clientSecret ?? elements?.clientSecret ?? ''
    if (payment_method) return confirmIntent(publishableKey, secret, { return_url, payment_method })
    const method = elements?.card()?.read()
    if (!method) return { error: incomplete }
    const { type, card, name } = { card: undefined, name: undefined, ...method }
    const result = await confirmIntent(publishableKey, secret, {
      return_url,
      payment_method_data: {
        type,
        card,
        billing_details: { ...(name && { name }), ...payment_method_data?.billing_details },
      },
    })
    if ('error' in result) elements?.card()?.markRefusal(result.error)
    return result
  }
  const read = (clientSecret: string) => readIntent(publishableKey, clientSecret)
  const refuse = async () => ({ error: notHere })
  return {
    elements: (options: ElementsOptions = {}) => createElements(options),
    confirmPayment: async (options: ConfirmOptions) => named('paymentIntent', await confirm(options)),
    confirmSetup: async (options: ConfirmOptions) => named('setupIntent', await confirm(options)),
    retrievePaymentIntent: async (clientSecret: string) => named('paymentIntent', await read(clientSecret)),
    retrieveSetupIntent: async (clientSecret: string) => named('setupIntent', await read(clientSecret)),
    confirmCardPayment: refuse,
    createToken: refuse,
    createPaymentMethod: refuse,
    registerAppInfo: () => {},
    _registerWrapper: () => {},
  }
}
