import type Stripe from 'stripe'
import { sellYear } from '#api/testing/adopting.ts'
import { personCalled } from '#api/testing/billing.ts'
import { beginJoin, onlyCustomer } from '#api/testing/joining.ts'
import { cards, consent, type PaymentWorld, paypal } from '#api/testing/payments.ts'
import { beginDelayed, linkTo } from '#api/testing/reactivating.ts'
import type { Call } from '#api/testing/world.ts'
import type { History, Step, Way } from './steps.ts'
import type { WebhookQueue } from './webhook-queue.ts'

/** A history's member. They act through our API, while cards and owners act at Stripe. */
type Member = { world: PaymentWorld; webhooks: WebhookQueue; call: Call; email: string }

export async function runHistory(
  world: PaymentWorld,
  webhooks: WebhookQueue,
  { first, steps, ending }: History,
): Promise<void> {
  const member: Member = { world, webhooks, call: world.call, email: 'sam@example.com' }
  await runStep(member, first)
  for (const step of steps) await runStep(member, step)
  await world.sandbox.settle()
  await webhooks.deliverRest(world, ending)
}

async function runStep(member: Member, step: Step): Promise<void> {
  const { world, webhooks } = member
  switch (step.kind) {
    case 'join':
      return join(member, step)
    case 'join by link':
      return joinByLink(member, step)
    case 'join by year':
      member.call = world.signIn(await sellYear(world, { email: member.email, ...step }))
      return
    case 'advance':
      return world.advance(step.days)
    case 'deliver':
      return webhooks.deliver(world, step)
    case 'spoil card':
      return payBy(member, 'pm_card_chargeCustomerFail')
    case 'repair card':
      await payBy(member, 'pm_card_visa')
      return step.pays ? payNewest(member) : undefined
    case 'cancel':
      return step.isNow ? cancelNow(member) : requestBilling(member, '/api/billing/cancel')
    case 'resume':
      return requestBilling(member, '/api/billing/resume')
    case 'change tier':
      return requestBilling(member, '/api/billing/change-tier', { tierSlug: step.tier })
    case 'upgrade':
      return upgrade(member, step)
    case 'undo':
      return requestBilling(member, '/api/billing/change-tier', undefined, 'DELETE')
    case 'change card':
      return changeCard(member, step)
    case 'pay open invoice':
      return fillForm(member, await secretOf(member, '/api/billing/pay'), step.way)
    case 'refund':
      return refund(member, step.part)
    case 'stranger':
      return addStranger(member)
  }
}

async function join(member: Member, { tier, way }: Extract<Step, { kind: 'join' }>): Promise<void> {
  const request = { email: member.email, name: 'Sam Field', tierSlug: tier }
  const begun = await beginJoin(member.call, request).catch(() => null)
  if (begun === null) return
  if (begun.cookie !== '') member.call = begun.call
  await fillForm(member, begun.response.clientSecret, way)
}

/** Joins from an owner's link: the first payment is due a month after the last one. */
async function joinByLink(member: Member, step: Extract<Step, { kind: 'join by link' }>): Promise<void> {
  const { world, email } = member
  const last = new Date(world.ctx.billingNow().getTime() - step.daysSince * 86_400_000)
  const { carried } = await linkTo(world, { email, name: 'Sam Field', lastPayment: last.toISOString().slice(0, 10) })
  const begun = await beginDelayed(world, carried, { tierSlug: step.tier }).catch(() => null)
  if (begun === null) return
  member.call = world.signIn(personCalled(world, email))
  await fillForm(member, begun.response.clientSecret, step.way)
}

/** What the member does with a payment or card form. Does nothing if there's none. */
async function fillForm({ world }: Member, clientSecret: string | null, way: Way): Promise<void> {
  if (clientSecret === null || way === 'left') return
  if (way === 'declined, then card') await world.pay(clientSecret, cards.declined)
  const asked = await world.pay(clientSecret, methodOf(way))
  if (asked.status === 200 && !way.endsWith('left')) await consent(asked, way.endsWith('refused') ? 'fail' : 'complete')
}

const methodOf = (way: Way) => (way.startsWith('PayPal') ? paypal : way.startsWith('bank') ? cards.asks3ds : cards.pays)

async function secretOf({ call }: Member, path: string): Promise<string | null> {
  const response = await call(path, { method: 'POST' })
  const body = JSON.parse(await response.text())
  if (response.status >= 500) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`)
  return response.status === 200 ? body.clientSecret : null
}

/** The member may close the page before the change is done. */
async function changeCard(member: Member, { way, isSettled }: Extract<Step, { kind: 'change card' }>): Promise<void> {
  const secret = await secretOf(member, '/api/billing/card')
  await fillForm(member, secret, way)
  if (isSettled && secret !== null) await requestBilling(member, '/api/billing/card/settle')
}

/** Upgrades today. The offer may be rejected, and the page may be closed before it's done. */
async function upgrade(member: Member, { tier, answer, isSettled }: Extract<Step, { kind: 'upgrade' }>): Promise<void> {
  const { stripe } = member.world.ctx
  const shown = await requestBilling(member, '/api/billing/upgrade/preview', { tierSlug: tier })
  if (shown === null) return
  const { attemptId } = shown
  const started = await requestBilling(member, '/api/billing/upgrade', { attemptId })
  const secret: string | undefined = started?.clientSecret ?? undefined
  if (secret === undefined) return
  const intent = await stripe.paymentIntents.retrieve(secret.split('_secret')[0] ?? '')
  if (answer !== 'left') await consent({ body: JSON.stringify(intent) }, answer)
  if (isSettled) await requestBilling(member, '/api/billing/upgrade/settle', { attemptId })
}

/** A Stripe customer who isn't ours, but whose webhooks arrive here. */
async function addStranger({ world }: Member): Promise<void> {
  const { stripe } = world.ctx
  const { id } = await stripe.customers.create({ email: 'stranger@example.com' })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: id })
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: card.id } })
  await stripe.invoiceItems.create({ customer: id, amount: 1_000, currency: 'gbp' })
  const invoice = await stripe.invoices.create({ customer: id, auto_advance: false })
  await stripe.invoices.pay(invoice.id ?? '')
}

/** A request from Billing. Null if it's rejected because it makes no sense. */
async function requestBilling({ call }: Member, path: string, body?: object, method = 'POST') {
  const response = await call(path, { method, ...(body === undefined ? {} : { body }) })
  const text = await response.text()
  if (response.status >= 500) throw new Error(`${path}: ${response.status} ${text}`)
  return response.status === 200 ? JSON.parse(text) : null
}

async function liveSubscription({ world }: Member): Promise<Stripe.Subscription | undefined> {
  const { data } = await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })
  return data.find(({ status }) => status !== 'incomplete_expired')
}

async function payBy(member: Member, card: string): Promise<void> {
  const subscription = await liveSubscription(member)
  if (subscription === undefined || typeof subscription.customer !== 'string') return
  const { stripe } = member.world.ctx
  const method = await stripe.paymentMethods.attach(card, { customer: subscription.customer })
  await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id })
}

async function payNewest(member: Member): Promise<void> {
  const { stripe } = member.world.ctx
  const { data } = await stripe.invoices.list({ customer: onlyCustomer(member.world), status: 'open', limit: 1 })
  // Rejected if the first payment waits for the browser, or the card is declined again.
  await stripe.invoices.pay(data[0]?.id ?? '').catch(() => undefined)
}

async function cancelNow(member: Member): Promise<void> {
  const subscription = await liveSubscription(member)
  if (subscription !== undefined) await member.world.ctx.stripe.subscriptions.cancel(subscription.id)
}

async function refund({ world }: Member, quarters: number): Promise<void> {
  const { stripe } = world.ctx
  const [newest] = (await stripe.charges.list({ customer: onlyCustomer(world), limit: 100 })).data.filter(
    ({ status }) => status === 'succeeded',
  )
  if (newest === undefined) return
  const amount = Math.min(Math.ceil((newest.amount * quarters) / 4), newest.amount - newest.amount_refunded)
  if (amount > 0) await stripe.refunds.create({ charge: newest.id, amount })
}
