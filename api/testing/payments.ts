import * as v from 'valibot'
import { expect } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { findWrongSums } from '#api/features/earnings/revenue/sums-service.ts'
import { type Sandbox, sandboxPublishableKey, sandboxSecretKey, startSandbox } from '#api/sandbox/server.ts'
import { webhookPath } from '#api/serving/paths.ts'
import { startWorld, type World, type WorldOptions } from './world.ts'

export const cards = {
  pays: '4242424242424242',
  asks3ds: '4000002500003155',
  declined: '4000000000000002',
  failsLater: '4000000000000341',
} as const

/** Use it in place of a card number for PayPal, which asks for consent on its own page. */
export const paypal = 'paypal'

export type PaymentWorld = World & {
  sandbox: Sandbox
  /** Calls a sandbox control: `faults`, `settings`, `webhooks/release`. */
  control(route: string, body?: unknown): Promise<void>
  /** Takes back every failure that was asked for. */
  clearFaults(): Promise<void>
  /** Does what a browser's card form does with a payment or a set-up. Returns Stripe's response, even an error. */
  pay(clientSecret: string, card?: string, more?: Record<string, string>): Promise<{ status: number; body: string }>
  /** Moves the billing clock. Renewals and their webhooks follow. */
  advance(days: number): Promise<void>
  stop(): Promise<void>
}

export type PaymentWorldOptions = WorldOptions & {
  onWebhook?: (webhook: Request) => Promise<Response>
}

/**
 * Always the same day: on the machine's own, tests failed on the 31st and in some months. Past a second's beginning, as a clock mostly is,
 * because Stripe's times are whole seconds.
 */
const payingSince = new Date('2026-11-20T12:00:00.500Z')

/** A world that pays through the sandbox, whose app receives the webhooks. */
export async function startPaymentWorld({ onWebhook, ...options }: PaymentWorldOptions = {}): Promise<PaymentWorld> {
  const made: { world?: World } = {}
  const sandbox = await startSandbox({
    file: ':memory:',
    port: 0,
    log: (message, fields) => made.world?.logged.push(JSON.stringify({ message, ...fields })),
    clock: {
      now: () => made.world?.ctx.billingNow() ?? new Date(),
      moveTo: (at) => made.world && raiseBillingOffset(made.world.ctx, at.getTime() - made.world.ctx.now().getTime()),
    },
    webhook: {
      url: () => `http://localhost${webhookPath}`,
      secret: 'whsec_sandbox',
      now: () => made.world?.ctx.now() ?? new Date(),
      deliver:
        onWebhook ?? ((request) => made.world?.handle(request) ?? Promise.resolve(new Response(null, { status: 503 }))),
    },
  })
  const world = startWorld({ startsAt: payingSince, ...options, sandboxPort: sandbox.port })
  made.world = world
  const post = (path: string, key: string, body: BodyInit, type: string) =>
    fetch(`${sandbox.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      body,
    })
  return {
    ...world,
    sandbox,
    async control(route, body = {}) {
      await post(`/_sandbox/${route}`, sandboxSecretKey, JSON.stringify(body), 'application/json')
    },
    async clearFaults() {
      const headers = { authorization: `Bearer ${sandboxSecretKey}` }
      await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'DELETE', headers })
    },
    async pay(clientSecret, card = cards.pays, more = {}) {
      const intent = clientSecret.split('_secret')[0]
      const fields = new URLSearchParams({
        client_secret: clientSecret,
        return_url: 'http://localhost:3000/members',
        ...(card === paypal ? { 'payment_method_data[type]': paypal } : cardFields(card)),
        ...more,
      })
      const response = await post(
        `/v1/${clientSecret.startsWith('seti_') ? 'setup' : 'payment'}_intents/${intent}/confirm`,
        sandboxPublishableKey,
        fields,
        'application/x-www-form-urlencoded',
      )
      return { status: response.status, body: await response.text() }
    },
    async advance(days) {
      await sandbox.advance(new Date(world.ctx.billingNow().getTime() + days * 86_400_000))
    },
    async stop() {
      // A webhook in progress would otherwise keep calling a sandbox that has stopped.
      await sandbox.settle()
      await sandbox.stop()
      // Whatever happened in between.
      if (world.ctx.sqlite.open) expect(findWrongSums(world.ctx)).toEqual([])
    },
  }
}

const cardFields = (number: string) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '2040',
  'payment_method_data[card][cvc]': '123',
})

const IntentResponse = v.object({
  next_action: v.nullish(v.object({ redirect_to_url: v.object({ url: v.string() }) })),
})

/** Presses a button on the bank's or PayPal's page after a redirect. Does nothing without one. */
export async function consent({ body }: { body: string }, button: 'complete' | 'fail'): Promise<void> {
  const { next_action: action } = v.parse(IntentResponse, JSON.parse(body))
  if (action) await fetch(`${action.redirect_to_url.url}/${button}`, { method: 'POST', redirect: 'manual' })
}
