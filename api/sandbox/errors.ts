import type { ErrorCode } from './error-codes.ts'

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

/** Rejects a request and rolls back its writes. To record an error, such as a declined card, return `committedError`. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly body: ErrorBody
  /** False if the request was rejected before it ran. Its response isn't stored under the idempotency key. */
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

/** An error response's body. A code gets a link to Stripe's documentation. */
export function errorText({ type, message, ...more }: ErrorBody): string {
  const page =
    more.code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${more.code.replaceAll('_', '-')}` }
  return JSON.stringify({ error: { ...more, ...page, message, type } }, null, 2)
}
