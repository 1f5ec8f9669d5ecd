import type { Kind } from '#api/sandbox/store/objects.ts'
import type { ErrorCode } from './error-codes.ts'

/** The `error` object in Stripe's responses. */
export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: ErrorCode
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: unknown
  setup_intent?: unknown
  payment_method?: unknown
}

/**
 * Rejects a request and rolls back what it wrote. An error that must be remembered, such as a declined card, is
 * returned by `committedError` instead.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly body: ErrorBody
  /** False when the request was rejected before it ran. Such a response is not stored under its idempotency key. */
  hasStarted = true
  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export function invalid(message: string, more: { code?: ErrorCode; param?: string } = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...more })
}

/** Marks the error as raised before the request ran. */
export function beforeStart(error: ApiError): ApiError {
  error.hasStarted = false
  return error
}

export function cardError(
  code: ErrorCode,
  message: string,
  more: { param?: string; decline_code?: string } = {},
): ApiError {
  return new ApiError(402, { type: 'card_error', code, message, ...more })
}

/** The body of an error response. A code comes with the address of its page in Stripe's documentation. */
export function errorText({ type, message, ...more }: ErrorBody): string {
  const page =
    more.code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${more.code.replaceAll('_', '-')}` }
  return JSON.stringify({ error: { ...more, ...page, message, type } }, null, 2)
}

const kindNames: Partial<Record<Kind, string>> = {
  payment_method: 'PaymentMethod',
  tax_rate: 'tax rate',
  invoiceitem: 'invoiceitem',
  credit_note: 'credit note',
  webhook_endpoint: 'webhook endpoint',
  'test_helpers.test_clock': 'testclock',
  subscription_schedule: 'subscription schedule',
}

/** Stripe answers 404 when the path names the object, and 400 when a parameter does. */
export function noSuchObject(kind: Kind | 'payout', id: string, param?: string): ApiError {
  return new ApiError(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${(kind === 'payout' ? null : kindNames[kind]) ?? kind}: '${id}'`,
    param: param ?? (kind === 'payment_intent' || kind === 'setup_intent' ? 'intent' : 'id'),
  })
}
