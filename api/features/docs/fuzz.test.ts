// @module-tag full
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unsubscribePath } from '#api/serving/paths.ts'
import { documentReader } from '#api/testing/api-document.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { sam } from '#api/testing/joining.ts'
import { behindProxy } from '#api/testing/passwords.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { ownPhotoPath } from '#shared/contract/photo.ts'

const requests = process.env.FULL ? 10_000 : 400
const seed = Number(process.env.FUZZ_SEED ?? 42)

type Schema = {
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}
type Operation = {
  parameters?: { name: string; in: string; schema?: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

let world: PaymentWorld
let reader: ReturnType<typeof documentReader>
let operations: { method: string; path: string; operation: Operation }[]
beforeAll(async () => {
  world = await startPaymentWorld({ env: behindProxy })
  world.addVideos()
  await becomeMember(world)
  const document = await (await world.call('/api/docs/json')).json()
  const { paths } = document
  reader = documentReader(document)
  operations = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
})
afterAll(() => world.stop())

/** Routes that read a non-JSON body: bytes, or a mail program's form. */
const unparsed = [
  `PUT ${ownPhotoPath}`,
  'PATCH /api/admin/media/uploads/{id}',
  'PATCH /api/admin/question-files/{fileId}',
  'PATCH /api/members/question-files/{fileId}',
  `POST ${unsubscribePath}`,
]
const nameOf = ({ method, path }: { method: string; path: string }) =>
  `${method} ${path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')}`

test('the document shows the body of every call that has one, and only routes that answer', async () => {
  const bodies = operations.flatMap(({ operation }) => (operation.requestBody ? [operation.requestBody] : []))
  for (const { content } of bodies) {
    const schemas = Object.values(content).map(({ schema }) => JSON.stringify(schema))
    expect(schemas).toEqual([expect.stringMatching(/"(type|anyOf|const)"/)])
  }
  const documented = operations.filter(({ operation }) => operation.requestBody)
  const reading = world
    .wholeApp()
    .routes.filter(({ path, hooks }) => path.startsWith('/api/') && hooks.body !== undefined)
  expect(documented.map(nameOf).toSorted()).toEqual([...reading.map(nameOf), ...unparsed].toSorted())
  for (const { method, path } of operations) {
    const response = await world.call(path.replace(/\{\w+\}/g, 'x'), { method })
    const isUnknown = response.status === 404 && (await response.text()).includes('There’s nothing at this address')
    expect([method, path, isUnknown]).toEqual([method, path, false])
  }
})

/** Repeatable random numbers for a seed (mulberry32). */
let state = seed
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item

const oddTexts = [
  ...[
    '',
    ' ',
    'x',
    'a'.repeat(5000),
    "' or 1=1 --",
    '<script>alert(1)</script>',
    '\u0000',
    '\r',
    '\ud800',
    '../../etc',
  ],
  ...[
    '1e3',
    '-1',
    '0x10',
    '9999999999999999999',
    'NaN',
    'null',
    '%00',
    '\u202e',
    '2026-06',
    '2026-06-12',
    '2026-13-45',
  ],
  ...['sam@example.com', 'owner@alliance.test', 'xl', 'standard', '__proto__', 'constructor', 'clean-up', '🔧'],
]
const oddValues: unknown[] = [null, true, 0, -1, 1.5, 1e308, [], {}, [[[]]], { toString: 1 }, ...oddTexts]

/** Ordinary dates, and ones at the limits, where a day more or less is no valid date. */
const days = ['2026-06-12', '2026-06-30', '0000-01-01', '0001-01-01', '1900-01-01', '2999-12-31', '9999-12-31']
const dates = [
  ...[...days, '2026-06', '0000-01', '1900-01', '2999-12', '9999-12', '2026-Q2', '0001-Q1', '2999-Q4', '9999-Q4'],
  ...['2026-06-15T08:00:00.000Z', '0000-01-01T00:00:00Z', '2999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
]

function datesFor({ format, pattern = '' }: Schema): string[] {
  if (format === 'date') return days
  return pattern.startsWith('^\\d{4}-') ? dates.filter((date) => new RegExp(pattern).test(date)) : []
}

function valueFor(schema: Schema = {}, depth = 0): unknown {
  if (random() < 0.12 || depth > 6) return pick(oddValues)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(schema.enum)
  if (schema.anyOf) return valueFor(pick(schema.anyOf), depth + 1)
  const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type
  if (type === 'object') return objectFor(schema, depth)
  if (type === 'array') return Array.from({ length: Math.floor(random() * 4) }, () => valueFor(schema.items, depth + 1))
  if (type === 'number' || type === 'integer') return pick([0, 1, 7, 100, 25_000, -5, 2 ** 53])
  if (type === 'boolean') return random() < 0.5
  const fitting = datesFor(schema)
  if (fitting.length > 0) return pick(fitting)
  return pick([
    ...oddTexts,
    world.ctx.newId(),
    new Date(world.ctx.now()).toISOString(),
    'Sam Field',
    'tape-and-level-42',
  ])
}

function objectFor({ properties = {}, required = [] }: Schema, depth: number): object {
  const names = Object.keys(properties).filter((name) => (required.includes(name) ? random() < 0.95 : random() < 0.6))
  const known = names.map((name): [string, unknown] => [name, valueFor(properties[name], depth + 1)])
  return Object.fromEntries(random() < 0.1 ? [...known, ['surplus', pick(oddValues)]] : known)
}

function requestFor({ method, path, operation }: (typeof operations)[number], ids: readonly string[]) {
  const written = path.replace(/\{(\w+)\}/g, (_, name) => {
    const { schema = {} } = operation.parameters?.find((one) => one.in === 'path' && one.name === name) ?? {}
    const fitting = random() < 0.7 ? datesFor(schema) : []
    return encodeURIComponent(pick(fitting.length > 0 ? fitting : [...ids, ...oddTexts.map(wellFormed), 'x']))
  })
  const query = new URLSearchParams()
  const headers: Record<string, string> = {
    'x-forwarded-for': `10.${Math.floor(random() * 250)}.${Math.floor(random() * 250)}.1`,
  }
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in === 'query' && random() < 0.5) query.set(parameter.name, asText(valueFor(parameter.schema)))
    if (parameter.in === 'header' && random() < 0.9)
      headers[parameter.name] =
        random() < 0.5 ? '0' : encodeURIComponent(wellFormed(asText(valueFor(parameter.schema))))
  }
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const body = content === undefined || random() < 0.03 ? {} : { body: bodyFor(type, content.schema) }
  if (type !== undefined && 'body' in body && type !== 'text/plain') headers['content-type'] = type
  return { path: `${written}${query.size > 0 ? `?${query}` : ''}`, method, headers, ...body }
}

function bodyFor(type = '', schema: Schema): unknown {
  const value = valueFor(schema)
  if (type.endsWith('octet-stream')) return new TextEncoder().encode(asText(value))
  if (type !== 'application/x-www-form-urlencoded') return value
  return new URLSearchParams(Object.entries(Object(value)).map(([name, one]) => [name, asText(one)]))
}
const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const wellFormed = (text: string) => text.toWellFormed() || 'x'

/** A visitor, a paying member and an owner. Created each time, because an earlier one may have logged out or been removed. */
const everyone = async (count: number): Promise<Call[]> => [
  world.call,
  await becomeMember(world, undefined, { ...sam, email: `sam${count}@example.com` }),
  world.signIn(world.addOwner()),
]

/** What no response may contain: file paths, queries, password hashes. */
const leaks =
  /\bat \S+ \(|node_modules|SqliteError|SQLITE_|\$argon2|insert into|select "|\/work\/|passwordHash|sk_test_|whsec_/

test(`${requests} requests made from the document, as every kind of caller: no 5xx, nothing hangs, nothing leaks, all as the document says`, async () => {
  const rows = ['users', 'member_videos', 'invoices', 'mail_outbox', 'api_tokens'].flatMap((table) =>
    world.ctx.sqlite.prepare<[], string>(`select id from ${table} limit 3`).pluck().all(),
  )
  // The sandbox's chaos answers 5xx on purpose, and its clock takes minutes to move.
  const fuzzed = operations.filter(({ path }) => !path.startsWith('/api/admin/sandbox/'))
  let callers: Call[] = []
  const faults: unknown[] = []
  for (let count = 0; count < requests; count += 1) {
    if (count % 250 === 0) {
      // Resets the rate limits, or most requests would be refused unread.
      world.forward(3_600_000)
      callers = await everyone(count)
    }
    const chosen = pick(fuzzed)
    const { path, method, ...sent } = requestFor(chosen, rows)
    const call = pick(callers)
    const response = await Promise.race([
      call(path, { method, ...sent }),
      Bun.sleep(20_000).then(() => new Response('hangs', { status: 599 })),
    ])
    const fault = await reader.faultOf(method, chosen.path, response)
    const text = response.headers.get('content-type')?.includes('pdf') ? '' : await response.text()
    const leak = leaks.exec(text)?.[0]
    if (response.status >= 500 || leak || fault !== null)
      faults.push({
        count,
        method,
        path,
        ...sent,
        status: response.status,
        leak,
        fault,
        text: text.slice(0, 200),
        log: world.logged.at(-1)?.slice(0, 600),
      })
    if (faults.length >= 5) break
  }
  expect(faults).toEqual([])
}, 1_800_000)
