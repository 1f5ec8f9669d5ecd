import type { Kind } from '#api/sandbox/store/objects.ts'

/** The `error` object of Stripe's answers. */
export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  doc_url?: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: unknown
  setup_intent?: unknown
  payment_method?: unknown
}

/** Refuses a request and takes back what it wrote. A declined card that must be remembered is answered with `refuse` instead. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly body: ErrorBody
  /** False for what was refused before anything was done; such an answer is not kept under its key. */
  started = true
  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export function invalid(message: string, more: { code?: string; param?: string } = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...more })
}

/** The same error, as one of a request that was never begun. */
export function beforeStart(error: ApiError): ApiError {
  error.started = false
  return error
}

export function cardError(
  code: string,
  message: string,
  more: { param?: string; decline_code?: string } = {},
): ApiError {
  return new ApiError(402, { type: 'card_error', code, message, ...more })
}

/** The body of an answer; what has a code is explained in Stripe's list of them. */
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

/** 404 for the object that the path names, 400 for one that a parameter names. */
export function noSuchObject(kind: Kind, id: string, param?: string): ApiError {
  return new ApiError(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kindNames[kind] ?? kind}: '${id}'`,
    param: param ?? (kind === 'payment_intent' || kind === 'setup_intent' ? 'intent' : 'id'),
  })
}
