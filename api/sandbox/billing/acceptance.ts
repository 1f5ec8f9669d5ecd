import * as v from 'valibot'
import { invalid } from '#api/sandbox/http/errors.ts'
import { flag } from '#api/sandbox/http/params.ts'
import type {
  Acceptance,
  MethodType,
  PaymentIntent,
  PaymentMethod,
  SetupIntent,
} from '#api/sandbox/store/payment-objects.ts'

/** What the sandbox's account has switched on. */
const enabledTypes: readonly MethodType[] = ['card', 'paypal']

const types = v.optional(v.array(v.picklist(['card', 'paypal'])))

export const acceptanceParams = {
  allowed_payment_method_types: types,
  automatic_payment_methods: v.optional(
    v.strictObject({
      allow_redirects: v.optional(v.picklist(['always', 'never']), 'always'),
      enabled: flag,
    }),
  ),
  /** What earlier versions of the API call the same. */
  payment_method_types: types,
}

const paramsSchema = v.object(acceptanceParams)

/** The types that the request allows; without any, those that are switched on, as at Stripe. */
export function acceptanceOf(params: v.InferOutput<typeof paramsSchema>): Acceptance {
  const { automatic_payment_methods: automatic } = params
  const allowed = params.allowed_payment_method_types ?? params.payment_method_types
  const redirects = automatic?.allow_redirects ?? 'always'
  const types = allowed ?? enabledTypes
  return {
    allowed_payment_method_types: allowed ?? null,
    automatic_payment_methods: allowed === undefined ? { allow_redirects: redirects, enabled: true } : null,
    payment_method_types: types.filter((type) => redirects === 'always' || type === 'card'),
  }
}

/** The same for what belongs to an invoice or a subscription, whose settings may name them. */
export function acceptanceOfBilling(types: readonly string[] | null | undefined): Acceptance {
  return {
    allowed_payment_method_types: null,
    automatic_payment_methods: null,
    payment_method_types: [...(types ?? enabledTypes)],
  }
}

/** Refuses a payment method that the intent does not take, and PayPal without a way back. */
export function checkAccepted(
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
