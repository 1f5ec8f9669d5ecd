import type Stripe from 'stripe'
import { personCalled } from '#api/testing/billing.ts'
import { beginJoin, onlyCustomer } from '#api/testing/joining.ts'
import { cards, consent, type PaymentWorld, paypal } from '#api/testing/payments.ts'
import { beginDelayed, linkTo } from '#api/testing/reactivating.ts'
import type { Call } from '#api/testing/world.ts'
import type { News } from './news.ts'
import type { History, Step, Way } from './steps.ts'

/** Somebody who lives a history: what he does goes in by the front door, what a card or an owner does happens at the provider. */
type Life = { world: PaymentWorld; news: News; call: Call; email: string }

export async function live(world: PaymentWorld, news: News, { first, steps, ending }: History): Promise<void> {
  const life: Life = { world, news, call: world.call, email: 'sam@example.com' }
  await take(life, first)
  for (const step of steps) await take(life, step)
  await world.sandbox.settle()
  await news.deliverRest(world, ending)
}

async function take(life: Life, step: Step): Promise<void> {
  const { world, news } = life
  switch (step.kind) {
    case 'join':
      return join(life, step)
    case 'join by link':
      return joinByLink(life, step)
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
    case 'undo':
      return askFor(life, '/api/billing/change-tier', undefined, 'DELETE')
    case 'change card':
      return changeCard(life, step)
    case 'pay open invoice':
      return fillForm(life, await secretOf(life, '/api/billing/pay'), step.way)
    case 'refund':
      return refund(life, step.part)
    case 'stranger':
      return addStranger(life)
  }
}

/** Begins a membership and pays it; refused while there is one. */
async function join(life: Life, { tier, way }: Extract<Step, { kind: 'join' }>): Promise<void> {
  const asked = { email: life.email, name: 'Sam Field', tierSlug: tier }
  const begun = await beginJoin(life.call, asked).catch(() => null)
  if (begun === null) return
  if (begun.cookie !== '') life.call = begun.call
  await fillForm(life, begun.answer.clientSecret, way)
}

/** By a link of the owners': the first payment comes a month after the last one. */
async function joinByLink(life: Life, step: Extract<Step, { kind: 'join by link' }>): Promise<void> {
  const { world, email } = life
  const last = new Date(world.ctx.billingNow().getTime() - step.daysSince * 86_400_000)
  const { carried } = await linkTo(world, { email, name: 'Sam Field', lastPayment: last.toISOString().slice(0, 10) })
  const begun = await beginDelayed(world, carried, { tierSlug: step.tier }).catch(() => null)
  if (begun === null) return
  life.call = world.signIn(personCalled(world, email))
  await fillForm(life, begun.answer.clientSecret, step.way)
}

/** What somebody does with a payment form, or with the form of a card; nothing where there is none. */
async function fillForm({ world }: Life, clientSecret: string | null, way: Way): Promise<void> {
  if (clientSecret === null || way === 'left') return
  if (way === 'declined, then card') await world.pay(clientSecret, cards.declined)
  const asked = await world.pay(clientSecret, methodOf(way))
  if (asked.status === 200 && !way.endsWith('left')) await consent(asked, way.endsWith('refused') ? 'fail' : 'complete')
}

const methodOf = (way: Way) => (way.startsWith('PayPal') ? paypal : way.startsWith('bank') ? cards.asks3ds : cards.pays)

/** Null where the form is refused. */
async function secretOf({ call }: Life, path: string): Promise<string | null> {
  const answer = await call(path, { method: 'POST' })
  const body = JSON.parse(await answer.text())
  if (answer.status >= 500) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`)
  return answer.status === 200 ? body.clientSecret : null
}

/** In Billing; the page that would settle it may be closed before. */
async function changeCard(life: Life, { way, isSettled }: Extract<Step, { kind: 'change card' }>): Promise<void> {
  const secret = await secretOf(life, '/api/billing/card')
  await fillForm(life, secret, way)
  if (isSettled && secret !== null) await askFor(life, '/api/billing/card/settle')
}

/** Somebody at the provider who is none of our customers: what is said of him comes in all the same. */
async function addStranger({ world }: Life): Promise<void> {
  const { stripe } = world.ctx
  const { id } = await stripe.customers.create({ email: 'stranger@example.com' })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: id })
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: card.id } })
  await stripe.invoiceItems.create({ customer: id, amount: 1_000, currency: 'gbp' })
  const invoice = await stripe.invoices.create({ customer: id, auto_advance: false })
  await stripe.invoices.pay(invoice.id ?? '')
}

/** What the member asks for in Billing; refused where it makes no sense, and that is fine. */
async function askFor({ call }: Life, path: string, body?: object, method = 'POST'): Promise<void> {
  const answer = await call(path, { method, ...(body === undefined ? {} : { body }) })
  if (answer.status >= 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

async function liveSubscription({ world }: Life): Promise<Stripe.Subscription | undefined> {
  const { data } = await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })
  return data.find(({ status }) => status !== 'incomplete_expired')
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
  const { data } = await stripe.invoices.list({ customer: onlyCustomer(life.world), status: 'open', limit: 1 })
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
  const [newest] = (await stripe.charges.list({ customer: onlyCustomer(world), limit: 100 })).data.filter(
    ({ status }) => status === 'succeeded',
  )
  if (newest === undefined) return
  const amount = Math.min(Math.ceil((newest.amount * quarters) / 4), newest.amount - newest.amount_refunded)
  if (amount > 0) await stripe.refunds.create({ charge: newest.id, amount })
}
