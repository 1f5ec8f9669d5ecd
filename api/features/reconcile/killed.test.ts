// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { webhookPath } from '#api/serving/paths.ts'
import { allRows } from '#api/testing/all-rows.ts'
import { acted, becomeMember } from '#api/testing/billing.ts'
import { beginJoin, onlyCustomer } from '#api/testing/joining.ts'
import { askAndDie, copyFolder, startAgainOn } from '#api/testing/killed-servers.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'

let root = ''
let world: PaymentWorld
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'alliance-killed-'))
})
afterEach(() => world.stop())
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A webhook in progress when the server dies. `putBack` restores the provider's earlier state. */
type Scene = { event: string; putBack(): Promise<unknown> }

async function firstPayment(): Promise<Scene> {
  const { findEvent } = await collectWebhooks()
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  return { event: await findEvent('invoice.paid'), putBack: async () => undefined }
}

async function anotherCard(): Promise<Scene> {
  const { findEvent } = await collectWebhooks()
  const call = await becomeMember(world)
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  const card = subscription?.default_payment_method
  if (subscription === undefined || typeof card !== 'string') throw new Error('no card')
  await world.pay((await acted(call, '/api/billing/card')).clientSecret, '5555555555554444')
  return {
    event: await findEvent('setup_intent.succeeded'),
    putBack: () => stripe.subscriptions.update(subscription.id, { default_payment_method: card }),
  }
}

const Named = v.object({ type: v.string() })

/** A world that receives no webhooks: they're collected here. */
async function collectWebhooks() {
  const received: string[] = []
  world = await startPaymentWorld({
    onWebhook: async (webhook) => {
      received.push(await webhook.text())
      return new Response(null)
    },
  })
  return {
    async findEvent(type: string): Promise<string> {
      await world.sandbox.settle()
      const found = received.findLast((body) => v.parse(Named, JSON.parse(body)).type === type)
      if (found === undefined) throw new Error(`no webhook of type ${type}`)
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

const copied = (name: string) => copyFolder(world, join(root, name))

/** Starts the server on the folder and delivers the webhook again. Returns the rows afterwards. */
async function restartAndReceive(dataDir: string, event: string): Promise<string[]> {
  const { ctx, handle, stop } = startAgainOn(world, dataDir)
  expect((await handle(await webhook('http://localhost', event))).status).toBe(200)
  const rows = allRows(ctx.sqlite)
  stop()
  return rows
}

const receiveAndDie = (dataDir: string, event: string, at: number) =>
  askAndDie(world, dataDir, (url) => webhook(url, event), { at })

/** Where it dies: at every twentieth step in the full run, from another one each time, else while writing. */
function deaths(steps: number): number[] {
  if (!process.env.FULL) return [Math.floor(steps * 0.7)]
  const first = Math.floor(Math.random() * 20)
  return Array.from({ length: steps }, (_none, index) => index + 1).filter((step) => step % 20 === first)
}

const scenes: [string, () => Promise<Scene>][] = [
  ['the first payment', firstPayment],
  ['another card', anotherCard],
]

test.each(process.env.FULL ? scenes : scenes.slice(0, 1))(
  'killed at any step of receiving %s, a restart and the same webhook again end the same',
  async (name, begin) => {
    const { event, putBack } = await begin()
    const expected = await restartAndReceive(copied(`${name} whole`), event)
    await putBack()
    const alive = await receiveAndDie(copied(`${name} alive`), event, 0)
    expect(alive).toEqual({ status: 200, steps: expect.any(Number) })
    const steps = alive?.steps ?? 0
    expect(steps).toBeGreaterThan(20)
    for (const dieAt of deaths(steps)) {
      await putBack()
      const dataDir = copied(`${name} ${dieAt}`)
      expect([dieAt, await receiveAndDie(dataDir, event, dieAt)]).toEqual([dieAt, null])
      expect([dieAt, await restartAndReceive(dataDir, event)]).toEqual([dieAt, expected])
      rmSync(dataDir, { recursive: true })
    }
  },
  900_000,
)
