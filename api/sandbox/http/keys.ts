import { ApiError, type ErrorBody } from '#api/sandbox/errors.ts'
import { type FormValue, textField } from '#api/sandbox/resources/form.ts'

export const sandboxSecretKey = 'sk_test_sandbox'
export const sandboxPublishableKey = 'pk_test_sandbox'
/** Reads everything and changes nothing. */
const sandboxRestrictedKey = 'rk_test_sandbox'

export type Caller = 'secret' | 'browser'

function headerKey(header: string | null): string | null {
  const [scheme = '', value = ''] = (header ?? '').split(' ')
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0] ?? null
  return null
}

function unauthorised(message: string): ApiError {
  return new ApiError(401, { type: 'invalid_request_error', message })
}

/** Who makes the request. `key` only accepts the publishable key, so no other site's page can post with the secret one. */
export function callerOf(method: string, header: string | null, params: FormValue): Caller {
  const key = headerKey(header) ?? textField(params, 'key')
  if (key === null || key === '') {
    throw unauthorised(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (key === sandboxPublishableKey) return 'browser'
  if (key === sandboxSecretKey && headerKey(header) !== null) return 'secret'
  if (key === sandboxRestrictedKey && headerKey(header) !== null) {
    if (method === 'GET') return 'secret'
    throw new ApiError(403, {
      type: 'invalid_request_error',
      message: 'The provided key does not have the required permissions for this endpoint.',
    })
  }
  throw unauthorised(`Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}`)
}

type Json = Record<string, unknown>

/** Fields that a browser never sees, at any depth. */
const secretFields = ['customer', 'metadata', 'charge']

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isRecord(value)) return value
  const open = Object.entries(value).filter(([name]) => !secretFields.includes(name))
  return Object.fromEntries(open.map(([name, inner]) => [name, withoutSecrets(inner)]))
}

/** The part of an object the publishable key may see: these fields, and nothing about its customer. */
export function objectForBrowser(object: Json, fields: readonly string[]): Json {
  const shown = Object.entries(object).filter(([name]) => fields.includes(name))
  return Object.fromEntries(shown.map(([name, value]) => [name, withoutSecrets(value)]))
}

/** The part of an error the publishable key may see. Its intent has the same fields as in a successful response. */
export function errorForBrowser(error: ErrorBody, fields: readonly string[]): ErrorBody {
  const { payment_intent, setup_intent, payment_method, charge: _charge, ...shown } = error
  return {
    ...shown,
    ...(isRecord(payment_intent) ? { payment_intent: objectForBrowser(payment_intent, fields) } : {}),
    ...(isRecord(setup_intent) ? { setup_intent: objectForBrowser(setup_intent, fields) } : {}),
    ...(payment_method === undefined ? {} : { payment_method: withoutSecrets(payment_method) }),
  }
}
