// @module-tag full
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Context } from '#api/context.ts'
import { paymentMethods } from '#api/db/schema/provider.ts'
import { settleCard } from '#api/features/billing/cards/service.ts'
import { removeMember } from '#api/features/profile/removal-service.ts'
import { authorize } from '#api/identity/authorize.ts'
import { personById } from '#api/identity/person.ts'
import { acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { beginJoin, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { drawsFrom } from '#api/testing/random.ts'
import { interleavings, steppedContext, type Walker, walk } from '#api/testing/stepped-provider.ts'
import { isLive } from '#shared/rules/membership.ts'
import { syncCustomer } from './service.ts'

let world: PaymentWorld
let ctx: Context
beforeEach(async () => {
  world = await startPaymentWorld()
  await becomeMember(world)
  await world.control('settings', { webhooks: { hold: true } })
  ctx = steppedContext(world.ctx, world.sandbox.port)
})
afterEach(() => world.stop())

const owner = { actor: 'owner', userId: null, sid: null, scopes: null }
const reading = () => walk(() => syncCustomer(ctx, onlyCustomer(world)))

async function toTheEnd<Result>(walker: Walker<Result>): Promise<number> {
  let steps = 0
  for (; !walker.isDone(); steps += 1) await walker.step()
  return steps
}

/** Toggles the cancellation at the provider. Returns the new state. */
async function turnOver(id: string): Promise<boolean> {
  const { cancel_at_period_end: before } = await world.ctx.stripe.subscriptions.retrieve(id)
  const after = await world.ctx.stripe.subscriptions.update(id, { cancel_at_period_end: !before })
  return after.cancel_at_period_end
}

const customerOf = (email: string) =>
  ctx.sqlite
    .prepare<[string], string>(
      'select customers.stripeCustomerId from customers join users on users.id = customers.userId where email = ?',
    )
    .pluck()
    .get(email) ?? ''

const ourRow = () =>
  ctx.sqlite.prepare<[], { id: string; ends: 0 | 1 }>('select id, cancelAtPeriodEnd as ends from subscriptions').get()

test('two overlapping readings, interleaved at every await: what the later one read stays', async () => {
  const id = ourRow()?.id ?? ''
  // The first sync also loads the prices. After a change one more thing is asked: what comes next, or whether something waits.
  await toTheEnd(await reading())
  await turnOver(id)
  const length = await toTheEnd(await reading())
  expect(length).toBeGreaterThan(3)
  const stride = process.env.FULL ? 1 : 4
  let tried = 0
  const found = new Set<unknown>()
  // The provider changes after this many steps of the earlier sync. The later one starts right after.
  for (let before = 0; before <= length; before += 1) {
    const orders = interleavings(length - before, length).filter((_, at) => at % stride === 0)
    for (const order of orders) {
      const earlier = await reading()
      for (let step = 0; step < before && !earlier.isDone(); step += 1) await earlier.step()
      const ends = await turnOver(id)
      const later = await reading()
      let isOvertaken = false
      // A membership that goes on is also asked what comes next, so one of the two may take a step more.
      for (const isEarlier of [...order, true, false]) {
        const walker = isEarlier ? earlier : later
        if (walker.isDone()) continue
        await walker.step()
        if (isEarlier && walker.isDone()) isOvertaken = later.isDone()
      }
      const outcomes = await Promise.all([earlier.result, later.result])
      for (const outcome of outcomes) found.add(outcome)
      expect([before, order, outcomes]).toEqual([before, order, [isOvertaken ? 'overtaken' : 'written', 'written']])
      expect([before, order, ourRow()?.ends === 1]).toEqual([before, order, ends])
      tried += 1
    }
  }
  expect(tried).toBeGreaterThan(100 / stride)
  // With only some of the orders, one sync might always be last.
  expect([...found].sort()).toEqual(['overtaken', 'written'])
})

test('two overlapping readings that both owe the provider something end with the card that was set up', async () => {
  const { stripe } = world.ctx
  const person = personCalled(world, sam.email)
  const rounds = process.env.FULL ? 60 : 12
  for (let seed = 1; seed <= rounds; seed += 1) {
    const draw = drawsFrom(seed)
    // A person may change cards only so often an hour.
    if (seed % 20 === 0) world.forward(61 * 60_000)
    const number = seed % 2 === 0 ? cards.pays : cards.failsLater
    await world.pay((await acted(world.signIn(person), '/api/billing/card')).clientSecret, number)
    const walkers = [await reading(), await reading()]
    for (;;) {
      const open = walkers.filter((walker) => !walker.isDone())
      const next = open[draw(open.length)]
      if (next === undefined) break
      await next.step()
    }
    await Promise.all(walkers.map(({ result }) => result))
    const [ours] = ctx.db.select().from(paymentMethods).all()
    const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
    expect([seed, ours?.last4]).toEqual([seed, number.slice(-4)])
    expect([seed, subscription?.default_payment_method]).toEqual([seed, ours?.stripePaymentMethodId])
    expect([seed, countRows(world, 'card_changes', 'closedAt is null')]).toEqual([seed, 0])
  }
})

test('a member who has set up another card is told of that card, wherever the webhook’s reading stands', async () => {
  const { id } = personCalled(world, sam.email)
  const found = personById(ctx, id)
  const person = found && authorize(found)
  if (person === null) throw new Error('Sam is not there.')
  let tried = 0
  for (const steps of process.env.FULL ? [0, 1, 2, 3, 4] : [3]) {
    for (let ofWebhook = 0, isDone = false; !isDone; ofWebhook += 1) {
      // A person may change cards only so often an hour.
      if (tried % 20 === 19) world.forward(61 * 60_000)
      const number = tried % 2 === 0 ? '5555555555554444' : cards.pays
      await world.pay(
        (await acted(world.signIn(personCalled(world, sam.email)), '/api/billing/card')).clientSecret,
        number,
      )
      const settling = await walk(() => settleCard(ctx, person))
      for (let step = 0; step < steps; step += 1) await settling.step()
      const webhook = await reading()
      for (let step = 0; step < ofWebhook && !webhook.isDone(); step += 1) await webhook.step()
      isDone = webhook.isDone()
      await toTheEnd(settling)
      const { paymentMethod } = await settling.result
      expect([steps, ofWebhook, paymentMethod?.last4]).toEqual([steps, ofWebhook, number.slice(-4)])
      await toTheEnd(webhook)
      tried += 1
    }
  }
  expect(tried).toBeGreaterThan(5)
})

test('CALLS-25 a reading that began while its member was being removed leaves nothing of them, wherever both were', async () => {
  const removing = () => walk(() => removeMember(ctx, owner, { memberId: sam.email, dryRun: false }))
  let length = 1
  for (let removed = 0; removed < length; removed += 1) {
    for (const read of process.env.FULL ? [0, 1, 2] : [1]) {
      const customer = customerOf(sam.email)
      const removal = await removing()
      for (let step = 0; step < removed; step += 1) await removal.step()
      const earlier = await walk(() => syncCustomer(ctx, customer))
      for (let step = 0; step < read; step += 1) await earlier.step()
      length = Math.max(length, removed + (await toTheEnd(removal)))
      await toTheEnd(earlier)
      await Promise.all([removal.result, earlier.result])
      expect([removed, read, countRows(world, 'payment_methods'), countRows(world, 'users')]).toEqual([
        ...[removed, read, 0, 0],
      ])
      await becomeMember(world)
    }
  }
  expect(length).toBeGreaterThan(3)
})

test('CALLS-25 a member who keeps buying during their removal is removed whole, or the owner is told', async () => {
  // Its prices are known from then on, so that each step is one request.
  await toTheEnd(await reading())
  const { subscriptions } = world.ctx.stripe
  const removeAgainst = async (most: number) => {
    const customer = customerOf(sam.email)
    const there = async () => (await subscriptions.list({ customer })).data
    const [first] = await there()
    const again = {
      items: [{ price: first?.items.data[0]?.price.id ?? '' }],
      default_payment_method: String(first?.default_payment_method),
    }
    const removal = await walk(() => removeMember(ctx, owner, { memberId: sam.email, dryRun: false }))
    const ended = removal.result.then(
      () => 'removed',
      (error: Error) => error.message,
    )
    for (let bought = 0; !removal.isDone(); ) {
      await removal.step()
      if (bought === most || removal.isDone() || (await there()).length > 0) continue
      bought += 1
      await subscriptions.create({ customer, ...again })
    }
    return [await ended, (await there()).length, countRows(world, 'users'), countRows(world, 'payment_methods')]
  }
  // A removal goes round three times.
  expect(await removeAgainst(3)).toEqual([expect.stringContaining('paying with this account right now'), 1, 1, 1])
  expect(await removeAgainst(2)).toEqual(['removed', 0, 0, 0])
})

test('CALLS-25 a first payment that lands while its buyer is being removed is refunded, whatever step the removal had reached', async () => {
  // The first three requests find what waits and the member's subscriptions. Paid earlier, a membership is ended instead.
  const found = 3
  let isOver = false
  for (let paidAt = found; !isOver; paidAt += 1) {
    const ann = { email: `ann${paidAt}@example.com`, name: 'Ann Joist' }
    const { response } = await beginJoin(world.call, ann)
    const customer = customerOf(ann.email)
    const removal = await walk(() => removeMember(ctx, owner, { memberId: ann.email, dryRun: false }))
    for (let step = 0; step < paidAt && !removal.isDone(); step += 1) await removal.step()
    isOver = removal.isDone()
    const { status: paid } = await world.pay(response.clientSecret)
    if (paidAt === found) expect(paid).toBe(200)
    await toTheEnd(removal)
    await removal.result
    const { data } = await world.ctx.stripe.charges.list({ customer })
    const kept = data.filter(({ status }) => status === 'succeeded').filter(({ refunded }) => !refunded)
    expect([paidAt, kept]).toEqual([paidAt, []])
    const ends = (await world.ctx.stripe.subscriptions.list({ customer, status: 'all' })).data.map(
      ({ status }) => status,
    )
    expect([paidAt, ends.filter((status) => isLive(status))]).toEqual([paidAt, []])
  }
})
