import type Stripe from 'stripe'
import * as v from 'valibot'
import { type ApiError, beforeStart, invalid } from '#api/sandbox/errors.ts'
import type { FormValue } from './form.ts'

export const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(5000))
export const whole = v.pipe(v.string(), v.regex(/^-?\d+$/), v.transform(Number), v.safeInteger())
export const amount = v.pipe(whole, v.minValue(0))
/** A decimal amount, which the sandbox accepts in whole pence only. */
export const pence = v.pipe(
  v.string(),
  v.regex(/^\d+(\.0+)?$/, 'The sandbox takes whole pence only'),
  v.transform(Number),
  v.safeInteger(),
)

const currencies = new Set(Intl.supportedValuesOf('currency'))
export const currency = v.pipe(
  v.string(),
  v.check((code) => currencies.has(code.toUpperCase()), 'Not a currency'),
  v.toLowerCase(),
)
export const flag = v.pipe(
  v.picklist(['true', 'false']),
  v.transform((value) => value === 'true'),
)
export const decimal = v.pipe(v.string(), v.regex(/^\d+(\.\d{1,4})?$/), v.transform(Number))

const empty = v.pipe(
  v.literal(''),
  v.transform(() => null),
)

/** As at Stripe, an empty string clears a field. */
export function clearable<S extends v.GenericSchema>(schema: S) {
  return v.lazy((input): typeof empty | S => (input === '' ? empty : schema))
}

export const clearableText = clearable(text)

/** Accepted without effect, because real integrations send it. */
export const ignored = v.optional(v.unknown())

export const metadata = v.optional(
  clearable(
    v.pipe(
      v.record(v.pipe(v.string(), v.maxLength(40)), v.pipe(v.string(), v.maxLength(500))),
      v.check((names) => Object.keys(names).length <= 50, 'Metadata can have up to 50 keys'),
    ),
  ),
)

export const address = v.strictObject({
  line1: v.optional(v.string()),
  line2: v.optional(v.string()),
  city: v.optional(v.string()),
  state: v.optional(v.string()),
  postal_code: v.optional(v.string()),
  country: v.optional(v.string()),
})

type AddressParams = v.InferOutput<typeof address>

export function addressOf(given: AddressParams): Stripe.Address {
  const { line1, line2, city, state, postal_code, country } = given
  return {
    line1: line1 || null,
    line2: line2 || null,
    city: city || null,
    state: state || null,
    postal_code: postal_code || null,
    country: country || null,
  }
}

export const shipping = v.strictObject({
  address,
  carrier: v.optional(text),
  name: v.optional(text),
  phone: v.optional(clearableText),
  tracking_number: v.optional(text),
})

export function shippingOf(given: v.InferOutput<typeof shipping>) {
  return {
    address: addressOf(given.address),
    carrier: given.carrier ?? null,
    name: given.name ?? '',
    phone: given.phone ?? null,
    tracking_number: given.tracking_number ?? null,
  }
}

export const customFields = v.optional(
  clearable(
    v.pipe(
      v.array(v.strictObject({ name: v.pipe(text, v.maxLength(40)), value: v.pipe(text, v.maxLength(140)) })),
      v.maxLength(4),
    ),
  ),
)

const bound = v.optional(whole)
const bounds = v.strictObject({ gt: bound, gte: bound, lt: bound, lte: bound })
export const range = v.lazy((input): typeof whole | typeof bounds => (typeof input === 'string' ? whole : bounds))

export const paging = {
  limit: v.optional(v.pipe(whole, v.minValue(1), v.maxValue(100))),
  starting_after: v.optional(text),
  ending_before: v.optional(text),
}

export const expand = v.optional(v.array(v.pipe(v.string(), v.maxLength(200))), [])

function paramName(issue: v.BaseIssue<unknown>): string {
  const [first, ...rest] = (issue.path ?? []).map((item) => String(item.key))
  return `${first ?? ''}${rest.map((key) => `[${key}]`).join('')}`
}

function describeIssue({ type, expected, input, message }: v.BaseIssue<unknown>, param: string): string {
  if (type === 'strict_object' || type === 'record') return 'Invalid object'
  if (type === 'array') return 'Invalid array'
  if (type !== 'picklist' && type !== 'literal') return `Invalid ${param}: ${message}`
  const options = (expected ?? '').replaceAll(/[()"]/g, '').split(' | ')
  if (options.join() === 'true,false') return `Invalid boolean: ${String(input)}`
  const last = options.pop() ?? ''
  return `Invalid ${param}: must be ${options.length === 0 ? last : `one of ${options.join(', ')}, or ${last}`}`
}

function toApiError(issue: v.BaseIssue<unknown>): ApiError {
  const param = paramName(issue)
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  if (issue.type === 'strict_object' && issue.received === 'undefined') {
    return invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.input === '') {
    return invalid(`You passed an empty string for '${param}'.`, { code: 'parameter_invalid_empty', param })
  }
  if ((issue.type === 'regex' && issue.message.startsWith('Invalid format')) || issue.type === 'safe_integer') {
    return invalid(`Invalid integer: ${String(issue.input)}`, { code: 'parameter_invalid_integer', param })
  }
  return invalid(describeIssue(issue, param), { param })
}

export function parseParams<S extends v.GenericSchema>(schema: S, input: FormValue): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (!result.success) throw beforeStart(toApiError(result.issues[0]))
  return result.output
}
