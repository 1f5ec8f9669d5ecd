import { expect } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { sellYear } from '#api/testing/adopting.ts'
import { personCalled } from '#api/testing/billing.ts'
import { beginJoin, onlyCustomer } from '#api/testing/joining.ts'
import { cards, consent, type PaymentWorld, paypal } from '#api/testing/payments.ts'
import { beginDelayed, linkTo } from '#api/testing/reactivating.ts'
import { change, changeToday } from './changes.ts'
import { answer, chosen, liveSubscription, type Member, periodEndOf } from './member.ts'
import { addTier, changeTiers, expectPromised, putOff, runJobs, setPrice, stopPrice } from './owners.ts'
import type { History, OwnersAct, Step, Way } from './steps.ts'
import type { WebhookQueue } from './webhook-queue.ts'

/** Two of the three tiers on sale can be paid by the year from the start: see `atFirst`. */
const byTheYear = [
  { pick: 1, net: 25_000 },
  { pick: 3, net: 45_000 },
]

export async function runHistory(
  world: PaymentWorld,
  webhooks: WebhookQueue,
  { first, steps, ending }: History,
  count: Member['count'],
): Promise<void> {
  const owner = world.signIn(world.addOwner())
  const people = { world, webhooks, call: world.call, owner, email: 'sam@example.com' }
  const member: Member = { ...people, hasBegun: false, promised: new Map(), count }
  // Stripe's balance is read from then on.
  await runJob(world.ctx, 'reconcile')
  for (const { pick, net } of byTheYear)
    await setPrice(member, { kind: 'set price', pick, every: 'year', net, waits: 0, movesMembers: false })
  for (const step of [first, ...steps]) {
    // A membership that's begun by a link logs out everyone who was logged in.
    if (member.hasBegun) member.call = world.signIn(personCalled(world, member.email))
    await runStep(member, step)
    await expectPromised(member)
    count(step.kind)
  }
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
      member.hasBegun = true
      await sellYear(world, { email: member.email, ...step })
      return
    case 'advance':
      return world.advance(step.days)
    case 'advance to renewal':
      return advanceToRenewal(member, step.stops)
    case 'deliver':
      return webhooks.deliver(world, step)
    case 'run jobs':
      return runJobs(member)
    case 'spoil card':
      return payBy(member, 'pm_card_chargeCustomerFail')
    case 'repair card':
      await payBy(member, 'pm_card_visa')
      return step.pays ? payNewest(member) : undefined
    case 'cancel':
      return cancel(member, step.isNow)
    case 'resume':
      return answer(member.call, '/api/billing/resume')
    case 'change':
      return change(member, step)
    case 'change today':
      return changeToday(member, step)
    case 'undo':
      member.promised.clear()
      return answer(member.call, '/api/billing/change-tier', undefined, 'DELETE')
    case 'change card':
      return changeCard(member, step)
    case 'pay open invoice':
      return fillForm(member, await secretOf(member, '/api/billing/pay'), step.way)
    case 'refund':
      return refund(member, step.part)
    case 'stranger':
      return addStranger(member)
    default:
      return ownerActs(member, step)
  }
}

function ownerActs(member: Member, step: OwnersAct): Promise<void> {
  switch (step.kind) {
    case 'add tier':
      return addTier(member, step)
    case 'set price':
      return setPrice(member, step)
    case 'stop price':
      return stopPrice(member, step.pick)
    case 'put off':
      return putOff(member)
    default:
      return changeTiers(member, step)
  }
}

/** Stops at these days before and after it, and runs the jobs there. */
async function advanceToRenewal(member: Member, stops: readonly number[]): Promise<void> {
  const subscription = await liveSubscription(member)
  if (subscription === undefined) return
  for (const days of stops) {
    const at = new Date(periodEndOf(subscription) * 1000 + days * 86_400_000)
    if (at <= member.world.ctx.billingNow()) continue
    await member.world.sandbox.advance(at)
    await runJobs(member)
  }
}

/** At what's sold, and at its price of now. Who has begun a payment may finish it at the price it was begun with. */
async function join(member: Member, step: Extract<Step, { kind: 'join' }>): Promise<void> {
  const { body, price } = chosen(member.world, step)
  const begun = await beginJoin(member.call, { email: member.email, name: 'Sam Field', ...body }).catch(() => null)
  if (!member.hasBegun) expect(begun === null ? 0 : 1, 'joins what’s sold').toBe(price?.isSold ?? 0)
  if (begun === null) return
  if (!member.hasBegun) expect([begun.response.net, begun.response.every]).toEqual([price?.net, price?.every])
  member.hasBegun = true
  await fillForm(member, begun.response.clientSecret, step.way)
}

/** Joins from an owner's link: the first payment is due a month after the last one. */
async function joinByLink(member: Member, step: Extract<Step, { kind: 'join by link' }>): Promise<void> {
  const { world, email } = member
  const last = new Date(world.ctx.billingNow().getTime() - step.daysSince * 86_400_000)
  const { carried } = await linkTo(world, { email, name: 'Sam Field', lastPayment: last.toISOString().slice(0, 10) })
  const begun = await beginDelayed(world, carried, chosen(world, step).body).catch(() => null)
  if (begun === null) return
  member.hasBegun = true
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
  if (isSettled && secret !== null) await answer(member.call, '/api/billing/card/settle')
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

/** At the end of what's paid, be it a month or a year, or at Stripe straight away. */
async function cancel(member: Member, isNow: boolean): Promise<void> {
  const subscription = await liveSubscription(member)
  if (isNow) {
    if (subscription !== undefined) await member.world.ctx.stripe.subscriptions.cancel(subscription.id)
  } else if ((await answer(member.call, '/api/billing/cancel')) !== null) {
    const after = await liveSubscription(member)
    expect(after?.cancel_at, 'runs to its end').toBe(after && periodEndOf(after))
  }
  member.promised.clear()
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
