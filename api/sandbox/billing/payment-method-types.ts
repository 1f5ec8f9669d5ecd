import { invalid } from '#api/sandbox/errors.ts'
import type {
  AcceptedMethodTypes,
  MethodType,
  PaymentIntent,
  PaymentMethod,
  SetupIntent,
} from '#api/sandbox/store/payment-objects.ts'

export const enabledTypes: readonly MethodType[] = ['card', 'paypal']

/** The types for an intent of an invoice or a subscription, whose payment settings may name them. */
export function billingMethodTypes(types: readonly string[] | null | undefined): AcceptedMethodTypes {
  return {
    allowed_payment_method_types: null,
    automatic_payment_methods: null,
    payment_method_types: [...(types ?? enabledTypes)],
  }
}

/** Rejects a payment method of a type that the intent does not accept, and PayPal without a `return_url`. */
export function assertTypeAccepted(
  intent: PaymentIntent | SetupIntent,
  { type, hidden }: PaymentMethod,
  returnUrl: string | null,
): void {
  const name = intent.object === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent'
  if (!intent.payment_method_types.includes(type)) {
    throw invalid(
      `The PaymentMethod provided (${type}) is not allowed for this ${name}. Please attach a PaymentMethod of one of the following types: ${intent.payment_method_types.join(', ')}.`,
      { param: 'payment_method' },
    )
  }
  if (type === 'paypal' && !hidden.authenticated && returnUrl === null) {
    throw invalid(
      `A \`return_url\` must be specified because this ${name} is confirmed with a payment method that redirects your customer.`,
      { code: 'parameter_missing', param: 'return_url' },
    )
  }
}
