import type { ErrorBody } from '#api/sandbox/http/errors.ts'

type Json = Record<string, unknown>

/** Never for a browser, wherever it stands. */
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

/** What the publishable key shows of an object: these fields, without anything of the customer. */
export function objectForBrowser(object: Json, fields: readonly string[]): Json {
  const shown = Object.entries(object).filter(([name]) => fields.includes(name))
  return Object.fromEntries(shown.map(([name, value]) => [name, withoutSecrets(value)]))
}

/** An error tells a browser what its person may see, and of the intent in it the same fields as without the error. */
export function errorForBrowser(error: ErrorBody, fields: readonly string[]): ErrorBody {
  const { payment_intent, setup_intent, payment_method, charge: _charge, ...shown } = error
  return {
    ...shown,
    ...(isRecord(payment_intent) ? { payment_intent: objectForBrowser(payment_intent, fields) } : {}),
    ...(isRecord(setup_intent) ? { setup_intent: objectForBrowser(setup_intent, fields) } : {}),
    ...(payment_method === undefined ? {} : { payment_method: withoutSecrets(payment_method) }),
  }
}
