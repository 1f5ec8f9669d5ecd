import type { CardFailure, PaymentMethod } from '#api/stripe/sandbox/store/payment-objects.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'

/** What the bank says to one attempt. */
export type Verdict = 'approved' | 'needs_authentication' | CardFailure

export type Occasion = { offSession: boolean; renewal: boolean; invoice?: string | null }

function declined(decline_code: string, message = 'Your card was declined.'): CardFailure {
  return { type: 'card_error', code: 'card_declined', decline_code, message }
}

const AUTHENTICATION_REQUIRED: CardFailure = {
  type: 'card_error',
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

/** Nobody is there to answer: a payment off session is declined, only an invoice waits for its customer. */
function needsAuthentication({ offSession, invoice }: Occasion): Verdict {
  return offSession && invoice === null ? AUTHENTICATION_REQUIRED : 'needs_authentication'
}

/** Asks the bank: what a test card answers on this occasion. */
export function judge({ hidden }: PaymentMethod, occasion: Occasion): Verdict {
  const { offSession, renewal } = occasion
  switch (hidden.behaviour) {
    case 'succeeds':
      return 'approved'
    case 'declined':
      return declined('generic_decline')
    case 'insufficient_funds':
      return declined('insufficient_funds', 'Your card has insufficient funds.')
    case 'fails_later':
      return offSession || renewal ? declined('generic_decline') : 'approved'
    case 'authenticates_once':
      return offSession && hidden.authenticated ? 'approved' : needsAuthentication(occasion)
    case 'paypal':
      return hidden.authenticated ? 'approved' : needsAuthentication(occasion)
    case 'authenticates_always':
      return needsAuthentication(occasion)
  }
}

/** Where the owner of the payment method is asked. */
export function consentPage({ pagesUrl }: Work, { type }: PaymentMethod, intent: string): string {
  return `${pagesUrl}/${type === 'paypal' ? 'paypal' : '3ds'}/${intent}`
}

export const PAYMENT_AUTHENTICATION_FAILED: CardFailure = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
}

export const SETUP_AUTHENTICATION_FAILED: CardFailure = {
  type: 'invalid_request_error',
  code: 'setup_intent_authentication_failure',
  message:
    'The latest attempt to set up the payment method has failed because authentication failed. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this SetupIntent again.',
}

/** The failure with the payment method it happened to, as Stripe keeps it on the intent. */
export function withMethod(failure: CardFailure, { hidden: _hidden, ...method }: PaymentMethod): CardFailure {
  return { ...failure, payment_method: method }
}
