import { createHmac } from 'node:crypto'
import { type Context, openContext } from '#api/context.ts'
import { syncCustomer, takeTicket, writeReading } from '#api/features/reconcile/service.ts'
import { readSettings } from '#api/settings.ts'
import { type ProviderState, readCustomer } from '#api/stripe/read-customer.ts'
import { freePort } from '#pwa/e2e/free-port.ts'
import { formatMs, formatRate, medianOfRounds, printRatio } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { cycle, rateOf, recordRuns } from './load.ts'
import { ask, benchFile, type RunningServer, startBare, startProduct, startServer } from './programs.ts'

const load = { connections: 20, count: 200 }

/** A preview of the next payment is asked for whenever something has changed. It may cost a third more. */
const rows = [
  { row: 'Webhook, durable', changing: [], atLeast: 0.33 },
  { row: 'Webhook, each with a change', changing: ['changing'], atLeast: 0.32 },
]

/** Each on disk before it's acknowledged. The floor is the same transactions without HTTP, signatures and calls to Stripe. */
export async function measureWebhooks(fixture: Fixture): Promise<void> {
  const SANDBOX_PORT = String(await freePort())
  await using _sandbox = await startProduct(fixture.copyDataDir(), { SANDBOX_PORT })
  for (const { row, changing, atLeast } of rows) {
    const replay = [benchFile('replay-provider.ts'), `http://127.0.0.1:${SANDBOX_PORT}`, ...changing]
    await using provider = await startServer(replay)
    await compare(fixture, provider, { row, atLeast })
  }
}

async function compare(
  { copyDataDir }: Fixture,
  provider: RunningServer,
  { row, atLeast }: { row: string; atLeast: number },
) {
  const SANDBOX_PORT = new URL(provider.url).port
  const [floorDir, dataDir] = [copyDataDir(), copyDataDir()]
  const ctx = openContext(readSettings({ DATA_DIR: floorDir, SANDBOX_PORT }))
  const customers = await addCustomers(ctx)
  const other = openContext(readSettings({ DATA_DIR: dataDir, SANDBOX_PORT }))
  await addCustomers(other)
  other.sqlite.close()
  const states = new Map<string, ProviderState>()
  const nothingStored = {
    defaultTier: () => 'standard',
    tierPriceOf: () => null,
    storedSubscription: () => null,
    adoptionsOf: () => new Map(),
    creditAnswersOf: () => new Map(),
  }
  for (const customer of customers) states.set(customer, await readCustomer({ ...ctx, ...nothingStored }, customer))
  await using server = await startBare(dataDir, { SANDBOX_PORT })
  const next = cycle(customers)
  const product = recordRuns({ ...load, server, next: () => signedWebhook(next(), ctx.settings.stripe.webhookSecret) })
  const previewsSoFar = async () => Number((await ask(provider, '/previews')).body)
  const before = await previewsSoFar()
  const floor = () => rateOf(load.count, () => writeWebhook(ctx, next(), states))
  const comparison = await medianOfRounds({ rounds: 5, floor, product: product.run })
  ctx.sqlite.close()
  const previews = (await previewsSoFar()) - before
  const note = `p99 ${formatMs(product.p99())} at ${load.connections} connections; ${formatMs(product.cpuMs())} of CPU time each; ${previews} previews`
  printRatio(row, comparison, { format: formatRate, limit: { atLeast }, note })
}

/** Adds customers like the seeded standard member and syncs each once, so the measured webhooks change nothing but what the provider changes. */
async function addCustomers(ctx: Context): Promise<string[]> {
  const base = ctx.sqlite
    .prepare<[], string>(
      `select customers.stripeCustomerId from customers join users on users.id = customers.userId
       where users.email = 'standard@alliance.test'`,
    )
    .pluck()
    .get()
  if (base === undefined) throw new Error('The sandbox has no standard member.')
  const ids = Array.from({ length: 100 }, (_, index) => `${base}bench${index}`)
  const at = ctx.now().toISOString()
  for (const [index, stripeCustomerId] of ids.entries()) {
    const userId = ctx.newId()
    ctx.sqlite
      .prepare('insert into users (id, email, firstName, createdAt, updatedAt) values (?, ?, ?, ?, ?)')
      .run(userId, `bench-${index}@alliance.test`, 'Bench', at, at)
    ctx.sqlite
      .prepare('insert into customers (id, userId, stripeCustomerId, createdAt) values (?, ?, ?, ?)')
      .run(ctx.newId(), userId, stripeCustomerId, at)
    await syncCustomer(ctx, stripeCustomerId)
  }
  return ids
}

function signedWebhook(customer: string, secret: string): { path: string; init: RequestInit } {
  const id = `evt_${crypto.randomUUID()}`
  const event = { id, object: 'event', type: 'invoice.paid', data: { object: { object: 'invoice', customer } } }
  const body = JSON.stringify(event)
  const at = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` }
  return { path: '/api/stripe/webhook', init: { method: 'POST', headers, body } }
}

/** What such a webhook writes: the event, the ticket, the sync and its effects, the event again. */
function writeWebhook(ctx: Context, stripeCustomerId: string, states: ReadonlyMap<string, ProviderState>): void {
  const id = `evt_${crypto.randomUUID()}`
  const at = ctx.now().toISOString()
  ctx.sqlite
    .prepare('insert into provider_events (id, type, stripeCustomerId, receivedAt) values (?, ?, ?, ?)')
    .run(id, 'invoice.paid', stripeCustomerId, at)
  const customer = takeTicket(ctx, stripeCustomerId)
  const state = states.get(stripeCustomerId)
  if (customer === null || state === undefined || !writeReading(ctx, customer, state)) throw new Error('Not written.')
  ctx.sqlite.prepare('update provider_events set processedAt = ? where id = ?').run(at, id)
}
