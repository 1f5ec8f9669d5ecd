import fc from 'fast-check'

export type Schema = {
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    [],
    {},
    [[[]]],
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '../../etc',
  ),
  fc.constantFrom<unknown>(
    "' or 1=1 --",
    '<script>alert(1)</script>',
    '__proto__',
    'constructor',
    '%00',
    '9999999999999999999',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.integer({ min: 200, max: 20_000 }).map((length) => 'å'.repeat(length)),
  fc.jsonValue({ maxDepth: 3 }),
)

const days = ['2026-06-12', '0000-01-01', '0001-01-01', '1900-02-29', '2999-12-31', '9999-12-31', '2026-06', '9999-Q4']
const instants = ['2026-06-15T08:00:00.000Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z']

/** Mostly what the schema says, sometimes anything at all. `known` are ids of rows that exist. */
export function anyValue(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 20, arbitrary: fittingOf(schema, known) }, { weight: 1, arbitrary: odd })
}

function fittingOf(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fittingOf(one, known)))
  const [type] = [schema.type].flat()
  if (type === 'object') return objectOf(schema, known)
  if (type === 'array') return fc.array(anyValue(schema.items ?? {}, known), { maxLength: 4 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'number' || type === 'integer') return numberOf(schema)
  return textOf(schema, known)
}

const numberOf = ({ minimum = -1000, maximum = 100_000 }: Schema) =>
  fc.oneof(
    fc.integer({ min: Math.ceil(minimum), max: Math.max(Math.ceil(minimum), Math.floor(Math.min(maximum, 1e9))) }),
    fc.maxSafeInteger(),
  )

function textOf({ format, pattern = '' }: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  const words = [
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(...known, ...days, ...instants),
    fc.uuid({ version: 7 }),
  ]
  if (format === 'email')
    return fc.oneof(fc.emailAddress(), fc.constantFrom('owner@alliance.test', 'standard@alliance.test'))
  // Those that look ahead are beyond fast-check.
  if (pattern === '' || pattern.includes('(?')) return fc.oneof(...words)
  return fc.oneof(
    { weight: 4, arbitrary: fc.stringMatching(new RegExp(pattern)) },
    { weight: 1, arbitrary: fc.oneof(...words) },
  )
}

function objectOf({ properties = {}, required = [] }: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, anyValue(one, known)]))
  const whole = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
  const surplus = fc.tuple(whole, odd).map(([object, more]) => ({ ...object, surplus: more }))
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: surplus },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  )
}

/** What clients, proxies and attackers put beside a request. */
export const oddHeaders = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.constantFrom(
        'accept',
        'accept-encoding',
        'accept-language',
        'if-none-match',
        'if-modified-since',
        'range',
        'user-agent',
        'x-request-id',
        'x-forwarded-proto',
        'x-forwarded-host',
        'idempotency-key',
        'upload-offset',
        'origin',
        'referer',
        'sec-fetch-site',
        'sec-fetch-mode',
        'sec-purpose',
        'authorization',
        'content-encoding',
      ),
      fc.oneof(
        fc.constantFrom(
          '0',
          'gzip',
          'br;q=0.5',
          'bytes=0-',
          'bytes=9-1,-5',
          '*',
          'null',
          'http://localhost',
          'cross-site',
          'navigate',
          'Bearer x',
          '"x"',
          'W/"1"',
        ),
        fc.string({ unit: 'binary-ascii', maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, '~').trim()),
        fc.integer({ min: 100, max: 6000 }).map((length) => 'x'.repeat(length)),
      ),
      { maxKeys: 4 },
    ),
  },
)
