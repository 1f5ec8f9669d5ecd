// @module-tag full
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { Closed } from '#api/sandbox/closed.ts'
import { createEveryState } from '#api/sandbox/testing/every-state.ts'
import { createCatalogue, createWorld, subscribeAndPay, type World } from '#api/sandbox/testing/world.ts'
import { sandboxSecretKey } from './server.ts'

type Json = Record<string, unknown>

const sdkTypes: Record<string, string> = {
  account: 'Account',
  balance: 'Balance',
  balance_transaction: 'BalanceTransaction',
  charge: 'Charge',
  coupon: 'Coupon',
  credit_note: 'CreditNote',
  customer: 'Customer',
  customer_balance_transaction: 'CustomerBalanceTransaction',
  discount: 'Discount',
  event: 'Event',
  invoice: 'Invoice',
  invoice_payment: 'InvoicePayment',
  invoiceitem: 'InvoiceItem',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  payout: 'Payout',
  price: 'Price',
  product: 'Product',
  refund: 'Refund',
  setup_intent: 'SetupIntent',
  subscription: 'Subscription',
  subscription_schedule: 'SubscriptionSchedule',
  tax_rate: 'TaxRate',
  'test_helpers.test_clock': 'TestHelpers.TestClock',
  webhook_endpoint: 'WebhookEndpoint',
}

const subscriptionStatuses: Closed<Stripe.Subscription.Status>[] = [
  ...(['incomplete', 'incomplete_expired', 'trialing', 'active'] as const),
  ...(['past_due', 'unpaid', 'canceled', 'paused'] as const),
]

/** Lists whose objects are also read with these fields expanded. */
const expandedLists: [path: string, ...fields: string[]][] = [
  ['/v1/invoices', 'payments', 'confirmation_secret', 'customer', 'discounts.source.coupon'],
  ['/v1/invoices', 'parent.subscription_details.subscription', 'default_payment_method', 'lines.data.discounts'],
  ['/v1/customers', 'discount.source.coupon'],
  ['/v1/customers', 'subscriptions', 'sources', 'tax_ids', 'invoice_settings.default_payment_method'],
  ['/v1/charges', 'refunds', 'payment_intent', 'customer', 'balance_transaction'],
  ['/v1/payment_intents', 'latest_charge', 'payment_method', 'customer'],
  ['/v1/setup_intents', 'payment_method', 'customer'],
  ['/v1/subscription_schedules', 'subscription', 'customer', 'phases.items.price'],
  ['/v1/credit_notes', 'invoice', 'customer', 'refunds.refund'],
  ['/v1/prices', 'product'],
]

async function read({ sandbox }: World, path: string): Promise<Json> {
  const response = await fetch(`${sandbox.url}${path}`, { headers: { Authorization: `Bearer ${sandboxSecretKey}` } })
  return response.json()
}

async function remove({ stripe }: World): Promise<Json[]> {
  const customer = await stripe.customers.create()
  const invoice = await stripe.invoices.create({ customer: customer.id })
  const item = await stripe.invoiceItems.create({ customer: customer.id, invoice: invoice.id, amount: 1 })
  const [endpoint] = (await stripe.webhookEndpoints.list()).data
  const [clock] = (await stripe.testHelpers.testClocks.list()).data
  return [
    { ...(await stripe.invoiceItems.del(item.id)) },
    { ...(await stripe.invoices.del(invoice.id)) },
    { ...(await stripe.customers.del(customer.id)) },
    { ...(await stripe.products.del((await stripe.products.create({ name: 'Gone' })).id)) },
    { ...(await stripe.coupons.del((await stripe.coupons.create({ percent_off: 1 })).id)) },
    { ...(await stripe.webhookEndpoints.del(endpoint?.id ?? '')) },
    { ...(await stripe.testHelpers.testClocks.del(clock?.id ?? '')) },
  ]
}

async function readAll(world: World, path: string, more = ''): Promise<Json[]> {
  const all: Json[] = []
  for (;;) {
    const after = all.length === 0 ? '' : `&starting_after=${all.at(-1)?.id}`
    const { data, has_more } = await read(world, `${path}?limit=100${after}&${more}`)
    if (!Array.isArray(data)) throw new Error(`${path}?${more} is no list`)
    all.push(...data)
    if (has_more !== true) return all
  }
}

function objectOf(event: Json): Json {
  const { data } = event
  return data instanceof Object && 'object' in data && data.object instanceof Object ? { ...data.object } : {}
}

/** Objects that only differ in numbers and ids have the same shape, and are checked once. */
function shapeOf(object: Json): string {
  return JSON.stringify(object, (_name, value: unknown) => {
    if (typeof value === 'number') return 0
    return typeof value === 'string' && /[a-z]+_\w{24}|\d/.test(value) ? '' : value
  })
}

async function attemptCollection(world: World): Promise<Json[]> {
  const events = await readAll(world, '/v1/events')
  const expanded = await Promise.all(
    expandedLists.map(([path, ...fields]) =>
      readAll(world, path, fields.map((field) => `expand[]=data.${field}`).join('&')),
    ),
  )
  const now = await Promise.all(
    [
      ...['balance_transactions', 'charges', 'coupons', 'customers', 'invoice_payments', 'invoices', 'payouts'],
      ...['refunds', 'webhook_endpoints'],
    ].map((name) => readAll(world, `/v1/${name}`)),
  )
  const [previewed] = (await world.stripe.subscriptions.list({ status: 'active' })).data
  const movements = await Promise.all(
    (await readAll(world, '/v1/customers')).map(({ id }) => readAll(world, `/v1/customers/${id}/balance_transactions`)),
  )
  const all = [
    ...movements.flat(),
    { ...(await world.stripe.invoices.createPreview({ subscription: previewed?.id ?? '' })) },
    ...(await readAll(world, '/v1/invoiceitems')),
    await read(world, '/v1/account'),
    await read(world, '/v1/balance'),
    ...events,
    ...events.map(objectOf),
    ...now.flat(),
    ...expanded.flat(),
    ...(await remove(world)),
  ]
  return [...new Map(all.map((object) => [shapeOf(object), object])).values()]
}

function typeOf({ object, deleted, type }: Json): string {
  const name = sdkTypes[String(object)] ?? 'Unknown'
  if (object === 'event') return `Extract<Stripe.Event, { type: '${type}' }>`
  return `Stripe.${deleted === true ? name.replace(/(\w+)$/, 'Deleted$1') : name}`
}

function compile(objects: Json[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const root = join(import.meta.dirname, '../..')
  const lines = objects.map(
    (object, index) => `export const o${index}: Closed<${typeOf(object)}> = ${JSON.stringify(object)}`,
  )
  const paths = {
    stripe: [join(root, 'node_modules/stripe/esm/stripe.esm.node.d.ts')],
    closed: [join(import.meta.dirname, 'closed.ts')],
  }
  const imports = ["import type Stripe from 'stripe'", "import type { Closed } from 'closed'"]
  try {
    writeFileSync(join(folder, 'answers.ts'), [...imports, ...lines].join('\n'))
    const compilerOptions = {
      module: 'ESNext',
      moduleResolution: 'bundler',
      target: 'ES2023',
      types: [],
      paths,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      allowImportingTsExtensions: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['answers.ts'] }))
    const { stdout, stderr } = Bun.spawnSync([join(root, 'node_modules/.bin/tsc'), '-p', folder])
    return `${stdout}${stderr}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The events in README.md's table, whose rows name one or more objects and their events. */
function documentedEvents(): string[] {
  const page = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  const [, section = ''] = /^## Webhooks\n(.*?)^## /ms.exec(page) ?? []
  return [...section.matchAll(/^\| ([a-z_., ]+?) +\| `([a-z_ ]+)` +\|$/gm)].flatMap(([, names = '', verbs = '']) =>
    names.split(', ').flatMap((name) => verbs.split(' ').map((verb) => `${name}.${verb}`)),
  )
}

test('every object has exactly the fields of its SDK type, with documented values only', async () => {
  const objects = await attemptCollection(await createEveryState())
  const kinds = new Set(objects.map(({ object }) => String(object)))
  expect([...kinds].sort()).toEqual(Object.keys(sdkTypes).sort())
  const statuses = (kind: string) =>
    [
      ...new Set(
        objects
          .filter(({ object, deleted }) => object === kind && deleted !== true)
          .map(({ status }) => String(status)),
      ),
    ].sort()
  expect(statuses('subscription')).toEqual(subscriptionStatuses.toSorted())
  expect(statuses('invoice')).toEqual(['draft', 'open', 'paid', 'uncollectible', 'void'])
  const types = new Set(objects.filter(({ object }) => object === 'event').map(({ type }) => String(type)))
  expect(documentedEvents()).toEqual(expect.arrayContaining([...types]))
  expect(compile(objects)).toBe('')
})

test('the comparison notices missing and extra fields, unknown values and nulls at any depth', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  await subscribeAndPay(world, catalogue)
  const [rate] = await readAll(world, '/v1/tax_rates')
  const [invoice] = await readAll(world, '/v1/invoices')
  const [customer] = await readAll(world, '/v1/customers')
  if (rate === undefined || invoice === undefined) throw new Error('nothing to spoil')
  const { percentage: _percentage, ...short } = rate
  const deep = JSON.stringify(invoice)
  const spoilt = [
    short,
    { ...rate, extra: 1 },
    { ...rate, tax_type: 'window_tax' },
    { ...rate, active: null },
    JSON.parse(deep.replace('"type":"price_details"', '"type":"guess"')),
    JSON.parse(deep.replace('"discountable":true', '"discountable":true,"extra":1')),
    { ...invoice, customer: { ...customer, extra: 1 } },
  ]
  const said = compile([rate, invoice, ...spoilt])
  const lines = [...said.matchAll(/answers\.ts\((\d+),/g)].map(([, line]) => Number(line))
  // Two lines of imports and two valid objects come first.
  expect([...new Set(lines)].sort((one, other) => one - other)).toEqual(spoilt.map((_each, index) => index + 5))
})
