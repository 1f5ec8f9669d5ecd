import { createHmac } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type Context, openContext } from '#api/context.ts'
import { syncCustomer, takeTicket, writeReading } from '#api/features/reconcile/service.ts'
import { readSettings } from '#api/settings.ts'
import { type ProviderState, readCustomer } from '#api/stripe/read-customer.ts'
import type { Fixture } from './fixture.ts'
import { cycle, recordRuns } from './load.ts'
import { productEnv, startServer, withServer } from './programs.ts'
import { formatMs, formatRate, type Result, ratioRow } from './result.ts'
import { medianOfRounds } from './rounds.ts'

const replayProvider = fileURLToPath(new URL('./replay-provider.ts', import.meta.url))
export const bareServer = fileURLToPath(new URL('./bare-server.ts', import.meta.url))

const customerCount = 100
const load = { connections: 20, count: 200, rounds: 5 }

type Row = { row: string; provider: string[]; atLeast: number }

/** A preview of the next payment is asked for whenever something has changed. It may cost a third more. */
const rows: Row[] = [
  { row: 'Webhook, durable', provider: [], atLeast: 0.25 },
  { row: 'Webhook, each with a change', provider: ['changing'], atLeast: 0.1875 },
]

/** Each on disk before it's acknowledged. The floor is the same transactions without HTTP, signatures and calls to Stripe. */
export async function measureWebhooks(fixture: Fixture): Promise<Result[]> {
  const sandboxEnv = await productEnv(fixture.copyDataDir())
  return withServer(startServer(['dist/api/main.js'], sandboxEnv), async () => {
    const sandboxUrl = `http://127.0.0.1:${sandboxEnv.SANDBOX_PORT}`
    const results: Result[] = []
    for (const row of rows) {
      const provider = startServer([replayProvider, sandboxUrl, ...row.provider])
      results.push(await withServer(provider, ({ url }) => compare(fixture, new URL(url).port, row)))
    }
    return results
  })
}

async function compare(fixture: Fixture, providerPort: string, { row, atLeast }: Row): Promise<Result> {
  const ownEnv = async () => ({ ...(await productEnv(fixture.copyDataDir())), SANDBOX_PORT: providerPort })
  const [floorEnv, env] = [await ownEnv(), await ownEnv()]
  const floorCtx = openContext(readSettings(floorEnv))
  const customers = await addCustomers(floorCtx)
  await addCustomersAndClose(openContext(readSettings(env)))
  const states = new Map<string, ProviderState>()
  for (const customer of customers)
    states.set(
      customer,
      await readCustomer(
        {
          ...floorCtx,
          storedSubscription: () => null,
          adoptionsOf: () => new Map(),
          creditAnswersOf: () => new Map(),
        },
        customer,
      ),
    )
  try {
    return await withServer(startServer([bareServer], env), async (server) => {
      const next = cycle(customers)
      const secret = floorCtx.settings.stripe.webhookSecret
      const product = recordRuns({ server, status: 200, next: () => signWebhook(next(), secret) }, load)
      const floor = async () => {
        const start = performance.now()
        for (let done = 0; done < load.count; done += 1) writeWebhook(floorCtx, next(), states)
        return (load.count / (performance.now() - start)) * 1000
      }
      const before = await previewsAt(providerPort)
      const comparison = await medianOfRounds(load.rounds, { floor, product: product.run })
      const previews = (await previewsAt(providerPort)) - before
      const note = `p99 ${formatMs(product.p99())} at ${load.connections} connections; ${formatMs(product.cpuMs())} of CPU time each; ${previews} previews`
      return { ...ratioRow(row, comparison, formatRate, { atLeast }), note }
    })
  } finally {
    floorCtx.sqlite.close()
  }
}

const previewsAt = async (port: string) => Number(await (await fetch(`http://127.0.0.1:${port}/previews`)).text())

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
  return ids
}

async function addCustomersAndClose(ctx: Context): Promise<void> {
  await addCustomers(ctx)
  ctx.sqlite.close()
}

function signWebhook(customer: string, secret: string): { path: string; init: RequestInit } {
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
