import * as v from 'valibot'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { webhookPath } from '#api/http/request-checks.ts'
import { type Sandbox, sandboxPublishableKey, sandboxSecretKey, startSandbox } from '#api/sandbox/server.ts'
import { startWorld, type World, type WorldOptions } from './world.ts'

export const cards = {
  pays: '4242424242424242',
  asks3ds: '4000002500003155',
  declined: '4000000000000002',
  failsLater: '4000000000000341',
} as const

/** In a card's place: PayPal, which asks on a page of its own. */
export const paypal = 'paypal'

export type PaymentWorld = World & {
  sandbox: Sandbox
  /** A lever of the sandbox: `faults`, `settings`, `webhooks/release`. */
  control(lever: string, body?: unknown): Promise<void>
  /** What the card form does in a browser, with a payment or a set-up. Returns the provider's answer, an error's too. */
  pay(clientSecret: string, card?: string): Promise<{ status: number; body: string }>
  /** Moves the billing clock; renewals and their webhooks follow. */
  advance(days: number): Promise<void>
  stop(): Promise<void>
}

export type PaymentWorldOptions = WorldOptions & {
  /** Takes each webhook instead of the front door. */
  onWebhook?: (webhook: Request) => Promise<Response>
}

/** A world whose payments run through the sandbox, with webhooks that come in by the front door. */
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
        onWebhook ??
        ((request) => made.world?.app.handle(request) ?? Promise.resolve(new Response(null, { status: 503 }))),
    },
  })
  // Programs beside this world go by the machine's clock, so it starts at that unless a test says otherwise.
  const world = startWorld({ startsAt: new Date(), ...options, sandboxPort: sandbox.port })
  made.world = world
  const ask = (path: string, key: string, body: BodyInit, type: string) =>
    fetch(`${sandbox.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      body,
    })
  return {
    ...world,
    sandbox,
    async control(lever, body = {}) {
      await ask(`/_sandbox/${lever}`, sandboxSecretKey, JSON.stringify(body), 'application/json')
    },
    async pay(clientSecret, card = cards.pays) {
      const intent = clientSecret.split('_secret')[0]
      const fields = new URLSearchParams({
        client_secret: clientSecret,
        return_url: 'http://localhost:3000/members',
        ...(card === paypal ? { 'payment_method_data[type]': paypal } : cardFields(card)),
      })
      const answer = await ask(
        `/v1/${clientSecret.startsWith('seti_') ? 'setup' : 'payment'}_intents/${intent}/confirm`,
        sandboxPublishableKey,
        fields,
        'application/x-www-form-urlencoded',
      )
      return { status: answer.status, body: await answer.text() }
    },
    async advance(days) {
      await sandbox.advance(new Date(world.ctx.billingNow().getTime() + days * 86_400_000))
    },
    async stop() {
      // A webhook under way would otherwise ask a provider that is gone, again and again.
      await sandbox.settle()
      await sandbox.stop()
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

const Asked = v.object({
  next_action: v.nullish(v.object({ redirect_to_url: v.object({ url: v.string() }) })),
})

/** On the page of the bank, or of PayPal, that a payment led to; nothing where it led to none. */
export async function consent({ body }: { body: string }, button: 'complete' | 'fail'): Promise<void> {
  const { next_action: asked } = v.parse(Asked, JSON.parse(body))
  if (asked) await fetch(`${asked.redirect_to_url.url}/${button}`, { method: 'POST', redirect: 'manual' })
}
