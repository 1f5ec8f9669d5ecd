import type Stripe from 'stripe'
import { beginJoin } from '../joining.ts'
import { cards, type PaymentWorld } from '../payments.ts'
import type { Call } from '../world.ts'
import type { News } from './news.ts'
import type { History, Step } from './steps.ts'

/** Somebody who lives a history: what he does goes in by the front door, what a card or an owner does happens at the provider. */
type Life = { world: PaymentWorld; news: News; call: Call; email: string }

export async function live(world: PaymentWorld, news: News, { first, steps, ending }: History): Promise<void> {
  const life: Life = { world, news, call: world.call, email: 'sam@example.com' }
  await take(life, { kind: 'join', tier: first, isDeclinedFirst: false })
  for (const step of steps) await take(life, step)
  await world.sandbox.settle()
  await news.deliverRest(world, ending)
}

async function take(life: Life, step: Step): Promise<void> {
  const { world, news } = life
  switch (step.kind) {
    case 'join':
      return join(life, step)
    case 'advance':
      return world.advance(step.days)
    case 'deliver':
      return news.deliver(world, step)
    case 'spoil card':
      return payBy(life, 'pm_card_chargeCustomerFail')
    case 'mend card':
      await payBy(life, 'pm_card_visa')
      return step.pays ? payNewest(life) : undefined
    case 'cancel':
      return step.isNow ? endNow(life) : askFor(life, '/api/billing/cancel')
    case 'resume':
      return askFor(life, '/api/billing/resume')
    case 'change tier':
      return askFor(life, '/api/billing/change-tier', { tierSlug: step.tier })
    case 'refund':
      return refund(life, step.part)
  }
}

/** Begins a membership and pays it; refused while there is one. */
async function join(life: Life, { tier, isDeclinedFirst }: Extract<Step, { kind: 'join' }>): Promise<void> {
  const { world } = life
  const asked = { email: life.email, name: 'Sam Field', tierSlug: tier }
  const begun = await beginJoin(life.call, asked).catch(() => null)
  if (begun === null) return
  if (begun.cookie !== '') life.call = begun.call
  if (isDeclinedFirst) await world.pay(begun.answer.clientSecret, cards.declined)
  await world.pay(begun.answer.clientSecret)
}

/** What the member asks for in Billing; refused where it makes no sense, and that is fine. */
async function askFor({ call }: Life, path: string, body?: object): Promise<void> {
  const answer = await call(path, { method: 'POST', ...(body === undefined ? {} : { body }) })
  if (answer.status >= 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

async function liveSubscription({ world }: Life): Promise<Stripe.Subscription | undefined> {
  const { data } = await world.ctx.stripe.subscriptions.list({ limit: 1 })
  return data[0]
}

async function payBy(life: Life, card: string): Promise<void> {
  const subscription = await liveSubscription(life)
  if (subscription === undefined || typeof subscription.customer !== 'string') return
  const { stripe } = life.world.ctx
  const method = await stripe.paymentMethods.attach(card, { customer: subscription.customer })
  await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id })
}

async function payNewest(life: Life): Promise<void> {
  const { stripe } = life.world.ctx
  const { data } = await stripe.invoices.list({ status: 'open', limit: 1 })
  // Refused where the first payment waits for the browser, or the card is declined again.
  await stripe.invoices.pay(data[0]?.id ?? '').catch(() => undefined)
}

async function endNow(life: Life): Promise<void> {
  const subscription = await liveSubscription(life)
  if (subscription !== undefined) await life.world.ctx.stripe.subscriptions.cancel(subscription.id)
}

/** A part of the newest payment, in quarters of the whole; what was refunded before stays refunded. */
async function refund({ world }: Life, quarters: number): Promise<void> {
  const { stripe } = world.ctx
  const [newest] = (await stripe.charges.list({ limit: 100 })).data.filter(({ status }) => status === 'succeeded')
  if (newest === undefined) return
  const amount = Math.min(Math.ceil((newest.amount * quarters) / 4), newest.amount - newest.amount_refunded)
  if (amount > 0) await stripe.refunds.create({ charge: newest.id, amount })
}
