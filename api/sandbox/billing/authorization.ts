import type { ErrorCode } from '#api/sandbox/error-codes.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import type { CardFailure, DeclineReason, PaymentMethod } from '#api/sandbox/store/payment-objects.ts'

export type AuthorizationResult = 'approved' | 'needs_authentication' | CardFailure

/** `invoice` is null for a payment without one, and left out when a payment method is only set up. */
export type PaymentAttempt = { offSession: boolean; renewal: boolean; mustNotAsk?: boolean; invoice?: string | null }

function declined(
  decline_code: string,
  message = 'Your card was declined.',
  code: ErrorCode = 'card_declined',
): CardFailure {
  return { type: 'card_error', code, decline_code, message }
}

const declines: Record<DeclineReason, CardFailure> = {
  declined: declined('generic_decline'),
  insufficient_funds: declined('insufficient_funds', 'Your card has insufficient funds.'),
  lost_card: declined('lost_card'),
  stolen_card: declined('stolen_card'),
  too_often: declined('card_velocity_exceeded'),
  fraudulent: declined('fraudulent'),
  expired_card: { ...declined('expired_card', 'Your card has expired.', 'expired_card'), param: 'exp_month' },
  incorrect_cvc: {
    ...declined('incorrect_cvc', "Your card's security code is incorrect.", 'incorrect_cvc'),
    param: 'cvc',
  },
  processing_error: declined(
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
    'processing_error',
  ),
}

/** The decline of a card that is always declined. Null if the decision depends on the attempt. */
export function unconditionalDecline({ hidden }: PaymentMethod): CardFailure | null {
  const refusals: Partial<Record<string, CardFailure>> = declines
  return refusals[hidden.behaviour] ?? null
}

/** The decline that follows even after authentication, if any. */
export function declineAfterAuthentication({ hidden }: PaymentMethod): CardFailure | null {
  if (hidden.behaviour === 'authenticates_without_funds') return declines.insufficient_funds
  return hidden.behaviour === 'authenticates_in_vain' ? declines.declined : null
}

const authenticationRequired: CardFailure = {
  type: 'card_error',
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

/** Off session no one can authenticate, so the payment is declined. Only an invoice waits for its customer. */
function needsAuthentication({ offSession, mustNotAsk = false, invoice }: PaymentAttempt): AuthorizationResult {
  return mustNotAsk || (offSession && invoice === null) ? authenticationRequired : 'needs_authentication'
}

export function authorize(method: PaymentMethod, occasion: PaymentAttempt): AuthorizationResult {
  const { hidden } = method
  const { offSession, renewal } = occasion
  const isCharge = occasion.invoice !== undefined
  switch (hidden.behaviour) {
    case 'succeeds':
      return 'approved'
    case 'fails_later':
      return renewal || (isCharge && method.customer !== null) ? declines.declined : 'approved'
    case 'authenticates_once':
      return offSession && hidden.authenticated ? 'approved' : needsAuthentication(occasion)
    case 'paypal':
      return hidden.authenticated ? 'approved' : needsAuthentication(occasion)
    case 'authenticates_on_session':
      return offSession ? 'approved' : needsAuthentication(occasion)
    case 'authenticates_always':
    case 'authenticates_in_vain':
    case 'authenticates_without_funds':
      return needsAuthentication(occasion)
    default:
      return declines[hidden.behaviour]
  }
}

export function consentUrl({ pagesUrl }: Context, { type }: PaymentMethod, intent: string): string {
  return `${pagesUrl}/${type === 'paypal' ? 'paypal' : '3ds'}/${intent}`
}

export const paymentAuthenticationFailed: CardFailure = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
}

export const setupAuthenticationFailed: CardFailure = {
  type: 'invalid_request_error',
  code: 'setup_intent_authentication_failure',
  message:
    'The latest attempt to set up the payment method has failed because authentication failed. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this SetupIntent again.',
}

/** The failure together with its payment method, as Stripe stores it on the intent. */
export function withMethod(failure: CardFailure, { hidden: _hidden, ...method }: PaymentMethod): CardFailure {
  return { ...failure, payment_method: method }
}
