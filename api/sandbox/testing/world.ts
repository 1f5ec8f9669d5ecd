import Stripe from 'stripe'
import { afterEach } from 'vitest'
import {
  type Sandbox,
  type SandboxClock,
  type SandboxOptions,
  sandboxPublishableKey,
  sandboxSecretKey,
  startSandbox,
} from '#api/sandbox/server.ts'

const webhookSecret = 'whsec_test'
const startsAt = '2027-01-31T10:00:00.000Z'

export type World = {
  sandbox: Sandbox
  stripe: Stripe
  clock: SandboxClock
  /** Delivered and accepted events in order, with signatures verified by the SDK. */
  events: Stripe.Event[]
  /** Statuses of the next responses to deliveries. After them, 200. */
  statuses: number[]
  clientFor(key: string, settings?: Partial<Stripe.StripeConfig>): Stripe
  control(path: string, body?: unknown, method?: string): Promise<unknown>
  /** Makes a request as a browser would, with the publishable key. */
  browser(method: string, path: string, fields: Record<string, string>): Promise<{ status: number; body: BrowserBody }>
  advanceDays(days: number): Promise<void>
}

type BrowserBody = {
  id: string
  status: string
  customer?: string
  next_action?: { redirect_to_url: { url: string } }
  error?: { type: string; code: string; decline_code?: string; param?: string; payment_intent?: { status: string } }
}

const running: Sandbox[] = []

afterEach(async () => {
  for (const sandbox of running.splice(0)) await sandbox.stop()
})

export function createClock(start = startsAt): SandboxClock {
  let now = new Date(start)
  return {
    now: () => now,
    moveTo(at) {
      if (at < now) throw new Error('the clock moves forwards only')
      now = at
    },
  }
}

function clientAt(sandbox: Sandbox, key: string, settings: Partial<Stripe.StripeConfig> = {}): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port: sandbox.port, protocol: 'http', maxNetworkRetries: 0, ...settings })
}

function receiver(events: Stripe.Event[], statuses: number[]) {
  const verifier = new Stripe(sandboxSecretKey)
  return async (request: Request): Promise<Response> => {
    const status = statuses.shift() ?? 200
    if (status !== 200) return new Response(null, { status })
    const signature = request.headers.get('stripe-signature') ?? ''
    events.push(await verifier.webhooks.constructEventAsync(await request.text(), signature, webhookSecret))
    return new Response('ok')
  }
}

export async function createWorld(options: Partial<SandboxOptions> = {}): Promise<World> {
  const events: Stripe.Event[] = []
  const statuses: number[] = []
  const clock = options.clock ?? createClock()
  const sandbox = await startSandbox({
    file: ':memory:',
    port: 0,
    webhook: {
      url: () => 'http://receiver.test/hook',
      secret: webhookSecret,
      deliver: receiver(events, statuses),
    },
    ...options,
    clock,
  })
  running.push(sandbox)
  const clientFor: World['clientFor'] = (key, settings) => clientAt(sandbox, key, settings)
  return {
    sandbox,
    stripe: clientFor(sandboxSecretKey),
    clock,
    events,
    statuses,
    clientFor,
    async control(path, body = {}, method = 'POST') {
      const headers = { Authorization: `Bearer ${sandboxSecretKey}` }
      const init = method === 'GET' ? { headers } : { method, headers, body: JSON.stringify(body) }
      return (await fetch(`${sandbox.url}/_sandbox/${path}`, init)).json()
    },
    async browser(method, path, fields) {
      const form = new URLSearchParams({ ...fields, key: sandboxPublishableKey })
      const url = `${sandbox.url}${path}`
      const response = await (method === 'GET' ? fetch(`${url}?${form}`) : fetch(url, { method, body: form }))
      return { status: response.status, body: await response.json() }
    },
    advanceDays: (days) => sandbox.advance(new Date(clock.now().getTime() + days * 86_400_000)),
  }
}

export type Catalogue = { price: Stripe.Price; dearer: Stripe.Price; year: Stripe.Price; vat: Stripe.TaxRate }

/** A monthly price of £450.00 and one of £800.00, and a year at £4,500.00, excluding 20% VAT. */
export async function createCatalogue({ stripe }: World): Promise<Catalogue> {
  const product = await stripe.products.create({ name: 'XL' })
  const monthly = { currency: 'gbp', product: product.id, recurring: { interval: 'month' as const } }
  const yearly = { ...monthly, recurring: { interval: 'year' as const } }
  return {
    price: await stripe.prices.create({ ...monthly, unit_amount: 45_000, lookup_key: 'xl-45000' }),
    dearer: await stripe.prices.create({ ...monthly, unit_amount: 80_000 }),
    year: await stripe.prices.create({ ...yearly, unit_amount: 450_000 }),
    vat: await stripe.taxRates.create({ display_name: 'VAT', inclusive: false, percentage: 20, country: 'GB' }),
  }
}

export type Subscribed = {
  customer: Stripe.Customer
  subscription: Stripe.Subscription
  intent: string
  secret: string
}

export async function subscribe(world: World, catalogue: Catalogue): Promise<Subscribed> {
  const customer = await world.stripe.customers.create({ email: 'jo@example.test', name: 'Jo' })
  const subscription = await world.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: catalogue.price.id }],
    default_tax_rates: [catalogue.vat.id],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.confirmation_secret'],
  })
  const secret = invoiceOf(subscription).confirmation_secret?.client_secret ?? ''
  return { customer, subscription, secret, intent: secret.split('_secret_')[0] ?? '' }
}

export function invoiceOf({ latest_invoice }: Stripe.Subscription): Stripe.Invoice {
  if (latest_invoice === null || typeof latest_invoice === 'string') throw new Error('the invoice was not expanded')
  return latest_invoice
}

export async function subscribeAndPay(world: World, catalogue: Catalogue, card = 'pm_card_visa'): Promise<Subscribed> {
  const joined = await subscribe(world, catalogue)
  await world.stripe.paymentIntents.confirm(joined.intent, { payment_method: card })
  return joined
}

export function typesOf(events: { type: string }[]): string[] {
  return events.map((event) => event.type)
}

export function cardFields(number: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '34',
    'payment_method_data[card][cvc]': '123',
    ...more,
  }
}
