import { ApiError } from '#api/sandbox/http/errors.ts'
import type { FormValue } from '#api/sandbox/http/form.ts'

export const sandboxSecretKey = 'sk_test_sandbox'
export const sandboxPublishableKey = 'pk_test_sandbox'

export type Caller = 'secret' | 'browser'

function headerKey(header: string | null): string | null {
  const [scheme = '', value = ''] = (header ?? '').split(' ')
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString().split(':')[0] ?? null
  return null
}

/** A field of the form; null for anything but plain text. */
export function textField(params: FormValue, name: string): string | null {
  if (typeof params === 'string' || Array.isArray(params)) return null
  const value = params[name]
  return typeof value === 'string' ? value : null
}

function unauthorised(message: string): ApiError {
  return new ApiError(401, { type: 'invalid_request_error', message })
}

/** Who calls. The `key` parameter is for the publishable key alone, so no foreign page can post with the secret one. */
export function callerOf(header: string | null, params: FormValue): Caller {
  const key = headerKey(header) ?? textField(params, 'key')
  if (key === null || key === '') {
    throw unauthorised(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    )
  }
  if (key === sandboxPublishableKey) return 'browser'
  if (key === sandboxSecretKey && headerKey(header) !== null) return 'secret'
  throw unauthorised(`Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}`)
}
