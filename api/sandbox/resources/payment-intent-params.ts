import * as v from 'valibot'
import { formatMoney } from '#api/sandbox/billing/invoice-lines.ts'
import { enabledTypes } from '#api/sandbox/billing/payment-method-types.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { AcceptedMethodTypes } from '#api/sandbox/store/payment-objects.ts'
import { clearable, clearableText, currency, flag, ignored, metadata, shipping, text, whole } from './params.ts'
import { methodData } from './payment-methods.ts'

const futureUsage = v.picklist(['on_session', 'off_session'])
const descriptor = v.pipe(text, v.maxLength(22))

export const confirmation = {
  client_secret: v.optional(text),
  error_on_requires_action: v.optional(flag),
  expected_payment_method_type: ignored,
  mandate_data: ignored,
  off_session: v.optional(flag),
  payment_method: v.optional(text),
  payment_method_data: v.optional(v.strictObject(methodData)),
  payment_method_options: ignored,
  radar_options: ignored,
  receipt_email: v.optional(text),
  return_url: v.optional(v.pipe(text, v.regex(/^https?:\/\//, 'Not a valid URL'))),
  setup_future_usage: v.optional(futureUsage),
  shipping: v.optional(shipping),
  use_stripe_sdk: ignored,
}

const confirmationSchema = v.strictObject(confirmation)
export type Confirmation = v.InferOutput<typeof confirmationSchema>

const methodTypes = v.optional(v.array(v.picklist(['card', 'paypal'])))

export const methodTypeParams = {
  allowed_payment_method_types: methodTypes,
  automatic_payment_methods: v.optional(
    v.strictObject({
      allow_redirects: v.optional(v.picklist(['always', 'never']), 'always'),
      enabled: flag,
    }),
  ),
  /** The name of `allowed_payment_method_types` in earlier API versions. */
  payment_method_types: methodTypes,
}

const acceptanceSchema = v.object(methodTypeParams)

/** The types that the request allows, or else the enabled ones, as at Stripe. */
export function methodTypesOf(params: v.InferOutput<typeof acceptanceSchema>): AcceptedMethodTypes {
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

export const creation = {
  ...confirmation,
  ...methodTypeParams,
  amount: whole,
  capture_method: v.optional(v.picklist(['automatic', 'automatic_async', 'manual']), 'automatic_async'),
  confirm: v.optional(flag, 'false'),
  confirmation_method: v.optional(v.literal('automatic')),
  currency,
  customer: v.optional(text),
  description: v.optional(text),
  metadata,
  statement_descriptor: v.optional(descriptor),
  statement_descriptor_suffix: v.optional(descriptor),
}

const creationSchema = v.strictObject(creation)
export type Creation = v.InferOutput<typeof creationSchema>

export const change = {
  amount: v.optional(whole),
  currency: v.optional(currency),
  customer: v.optional(text),
  description: v.optional(text),
  metadata,
  payment_method: v.optional(text),
  payment_method_data: v.optional(v.strictObject(methodData)),
  payment_method_options: ignored,
  receipt_email: v.optional(clearableText),
  setup_future_usage: v.optional(clearable(futureUsage)),
  shipping: v.optional(clearable(shipping)),
  statement_descriptor: v.optional(descriptor),
  statement_descriptor_suffix: v.optional(descriptor),
}

const changeSchema = v.strictObject(change)
export type Change = v.InferOutput<typeof changeSchema>

export const capture = { amount_to_capture: v.optional(whole), final_capture: v.optional(flag), metadata }

export const cancellation = {
  cancellation_reason: v.optional(v.picklist(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'])),
}

const maxAmount = 99_999_999

/** As at Stripe, each currency has a minimum and a maximum. */
export function assertAmount(amount: number, currency: string): void {
  const least = currency === 'gbp' ? 30 : 50
  if (amount < 1) {
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  }
  if (amount < least) {
    throw invalid(`Amount must be at least ${formatMoney(least, currency)} ${currency}`, {
      code: 'amount_too_small',
      param: 'amount',
    })
  }
  if (amount > maxAmount) {
    throw invalid(`Amount must be no more than ${formatMoney(maxAmount, currency)}`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  }
}
