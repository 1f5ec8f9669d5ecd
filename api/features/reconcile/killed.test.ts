import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { openContext } from '#api/context.ts'
import { databaseFile } from '#api/db/open.ts'
import { webhookPath } from '#api/http/request-checks.ts'
import { readSettings } from '#api/settings.ts'
import { allRows } from '#api/testing/all-rows.ts'
import { acted, becomeMember } from '#api/testing/billing.ts'
import { beginJoin, onlyCustomer } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'

let root = ''
let world: PaymentWorld
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'alliance-killed-'))
})
afterEach(() => world.stop())
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** News that is under way when the server dies. `putBack`: makes the provider as it was before the server heard of it. */
type Scene = { news: string; putBack(): Promise<unknown> }

async function firstPayment(): Promise<Scene> {
  const { news } = await startListening()
  const { answer } = await beginJoin(world.call)
  await world.pay(answer.clientSecret)
  return { news: await news('invoice.paid'), putBack: async () => undefined }
}

async function anotherCard(): Promise<Scene> {
  const { news } = await startListening()
  const call = await becomeMember(world)
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  const card = subscription?.default_payment_method
  if (subscription === undefined || typeof card !== 'string') throw new Error('no card')
  await world.pay((await acted(call, '/api/billing/card')).clientSecret, '5555555555554444')
  return {
    news: await news('setup_intent.succeeded'),
    putBack: () => stripe.subscriptions.update(subscription.id, { default_payment_method: card }),
  }
}

const Named = v.object({ type: v.string() })

/** A world that hears nothing: what the provider says is kept here. */
async function startListening() {
  const heard: string[] = []
  world = await startPaymentWorld({
    onWebhook: async (webhook) => {
      heard.push(await webhook.text())
      return new Response(null)
    },
  })
  return {
    async news(type: string): Promise<string> {
      await world.sandbox.settle()
      const found = heard.findLast((body) => v.parse(Named, JSON.parse(body)).type === type)
      if (found === undefined) throw new Error(`nobody said ${type}`)
      return found
    },
  }
}

async function webhook(url: string, body: string): Promise<Request> {
  const { stripe, settings } = world.ctx
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret: settings.stripe.webhookSecret,
    timestamp: Math.floor(Date.now() / 1000),
  })
  return new Request(`${url}${webhookPath}`, { method: 'POST', body, headers: { 'stripe-signature': signature } })
}

/** A data folder as it was when the news set out. */
function copyFolder(name: string): string {
  const dataDir = join(root, name)
  mkdirSync(dataDir, { recursive: true })
  world.ctx.sqlite.prepare('vacuum into ?').run(databaseFile(dataDir))
  return dataDir
}

/** The server comes up on the folder, and the news comes once more; what is in the rows then. */
async function restartAndHear(dataDir: string, news: string): Promise<string[]> {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir, SANDBOX_PORT: String(world.sandbox.port) }))
  expect((await createApp(ctx).handle(await webhook('http://localhost', news))).status).toBe(200)
  const rows = allRows(ctx.sqlite)
  ctx.sqlite.close()
  return rows
}

/** A server that dies at a step of hearing the news; answers how many steps it took where it did not die. */
async function hearAndDie(dataDir: string, news: string, dieAt: number): Promise<number | null> {
  const program = join(import.meta.dirname, '../../testing/killable-server.ts')
  const child = Bun.spawn(
    [process.execPath, '--no-env-file', program, dataDir, String(world.sandbox.port), String(dieAt)],
    { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const { value } = await child.stdout.getReader().read()
  const url = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`
  const status = await fetch(await webhook(url, news)).then(
    (answer) => answer.status,
    () => null,
  )
  const steps = status === null ? null : Number(await (await fetch(`${url}/steps`)).text())
  child.kill('SIGKILL')
  await child.exited
  if (steps !== null) expect(status).toBe(200)
  return steps
}

/** Where it dies: at each step in the full run, else in the midst of writing. */
function deaths(steps: number): number[] {
  if (process.env.FULL) return Array.from({ length: steps }, (_none, index) => index + 1)
  return [Math.floor(steps * 0.7)]
}

test.each([
  ['the first payment', firstPayment],
  ['another card', anotherCard],
])(
  'API-06 killed at any step of hearing of %s, a restart and the news again end the same',
  async (name, begin) => {
    const { news, putBack } = await begin()
    const expected = await restartAndHear(copyFolder(`${name} whole`), news)
    await putBack()
    const steps = await hearAndDie(copyFolder(`${name} alive`), news, 0)
    expect(steps).toBeGreaterThan(20)
    for (const dieAt of deaths(steps ?? 0)) {
      await putBack()
      const dataDir = copyFolder(`${name} ${dieAt}`)
      expect([dieAt, await hearAndDie(dataDir, news, dieAt)]).toEqual([dieAt, null])
      expect([dieAt, await restartAndHear(dataDir, news)]).toEqual([dieAt, expected])
      rmSync(dataDir, { recursive: true })
    }
  },
  900_000,
)
