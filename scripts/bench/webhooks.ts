import { createHmac } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Context, openContext } from '#api/context.ts'
import { syncCustomer, takeTicket, writeReading } from '#api/features/reconcile/service.ts'
import { readSettings } from '#api/settings.ts'
import { type ProviderState, readCustomer } from '#api/stripe/read-customer.ts'
import type { House } from './house.ts'
import { collectRuns } from './load.ts'
import { inPairs } from './pairs.ts'
import { productEnv, startServer, whileRunning } from './programs.ts'
import { compared, inMs, perSecond, type Result } from './result.ts'

const stillProvider = fileURLToPath(new URL('./still-provider.ts', import.meta.url))
/** The product without a sandbox and jobs beside it. */
export const quietServer = fileURLToPath(new URL('./quiet-server.ts', import.meta.url))

const customerCount = 100
const how = { connections: 20, count: 200, rounds: 5 }

/**
 * Webhooks that the product acknowledges, each on the disk before, beside the same transactions called one after the other
 * without HTTP, signature and reading the provider.
 */
export async function measureWebhooks(house: House): Promise<Result[]> {
  const sandboxEnv = productEnv(house.copy())
  return whileRunning(startServer(['api/main.ts'], sandboxEnv), async () => {
    const source = `http://127.0.0.1:${sandboxEnv.SANDBOX_PORT}`
    return whileRunning(startServer([stillProvider, source]), ({ url }) => compare(house, new URL(url).port))
  })
}

async function compare(house: House, providerPort: string): Promise<Result[]> {
  const [floorEnv, env] = [house, house].map(({ copy }) => ({ ...productEnv(copy()), SANDBOX_PORT: providerPort }))
  if (floorEnv === undefined || env === undefined) throw new Error('Two folders are needed.')
  const direct = openContext(readSettings(floorEnv))
  const customers = await settle(direct)
  await settle(openContext(readSettings(env)), true)
  const states = new Map<string, ProviderState>()
  for (const customer of customers)
    states.set(customer, await readCustomer({ ...direct, storedTierOf: () => null }, customer))
  try {
    return await whileRunning(startServer([quietServer], env), async (server) => {
      const next = inTurn(customers)
      const secret = direct.settings.stripe.webhookSecret
      const product = collectRuns({ server, status: 200, next: () => webhook(next(), secret) }, how)
      const floor = async () => {
        const start = performance.now()
        for (let done = 0; done < how.count; done += 1) handle(direct, next(), states)
        return (how.count / (performance.now() - start)) * 1000
      }
      const pair = await inPairs(how.rounds, { floor, product: product.run })
      const note = `p99 ${inMs(product.p99())} at ${how.connections} connections; ${inMs(product.busyMs())} of a processor each`
      return [{ ...compared('Webhook, durable', pair, perSecond, { atLeast: 0.25 }), note }]
    })
  } finally {
    direct.sqlite.close()
  }
}

/** Customers like the seeded standard member, each read and written once, so that what follows is a usual webhook. */
async function settle(ctx: Context, thenClose = false): Promise<string[]> {
  const base = ctx.sqlite
    .prepare<[], string>(
      `select customers.stripeCustomerId from customers join users on users.id = customers.userId
       where users.email = 'standard@alliance.test'`,
    )
    .pluck()
    .get()
  if (base === undefined) throw new Error('The sandbox has no standard member.')
  const ids = Array.from({ length: customerCount }, (_, index) => `${base}bench${index}`)
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
  if (thenClose) ctx.sqlite.close()
  return ids
}

function inTurn(values: readonly string[]): () => string {
  let turn = 0
  return () => {
    turn += 1
    return values[turn % values.length] ?? ''
  }
}

function webhook(customer: string, secret: string): { path: string; init: RequestInit } {
  const id = `evt_${crypto.randomUUID()}`
  const event = { id, object: 'event', type: 'invoice.paid', data: { object: { object: 'invoice', customer } } }
  const body = JSON.stringify(event)
  const at = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` }
  return { path: '/api/stripe/webhook', init: { method: 'POST', headers, body } }
}

/** What such a webhook does in the database: the event, the ticket, the reading with all that follows, the event again. */
function handle(ctx: Context, stripeCustomerId: string, states: ReadonlyMap<string, ProviderState>): void {
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
