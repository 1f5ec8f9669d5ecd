import { ApiError } from '#api/sandbox/errors.ts'
import type { Kind } from './objects.ts'

const kindNames: Partial<Record<Kind, string>> = {
  payment_method: 'PaymentMethod',
  tax_rate: 'tax rate',
  invoiceitem: 'invoiceitem',
  credit_note: 'credit note',
  webhook_endpoint: 'webhook endpoint',
  'test_helpers.test_clock': 'testclock',
  subscription_schedule: 'subscription schedule',
}

/** 404 if the path names the object, and 400 if a parameter does, as at Stripe. */
export function noSuchObject(kind: Kind | 'payout', id: string, param?: string): ApiError {
  return new ApiError(param === undefined ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${(kind === 'payout' ? null : kindNames[kind]) ?? kind}: '${id}'`,
    param: param ?? (kind === 'payment_intent' || kind === 'setup_intent' ? 'intent' : 'id'),
  })
}
