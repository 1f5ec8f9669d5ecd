import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { users } from '#api/db/schema/people.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { createReadingStripe } from '#api/stripe/client.ts'
import { sellElsewhere } from '#api/testing/adopting.ts'
import { acted } from '#api/testing/billing.ts'
import { countRows } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { readError } from '#api/testing/world.ts'
import type { Import, ImportColumn, ImportRow } from '#shared/contract/imports.ts'
import { importSentence, madeNoun, planLines } from '#shared/rules/imports.ts'

let world: PaymentWorld
let owner: ReturnType<PaymentWorld['signIn']>
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const show = (id: string) => acted(owner, `/api/admin/imports/${id}`, undefined, 'GET')
const rowsOf = (id: string) => acted(owner, `/api/admin/imports/${id}/rows`, undefined, 'GET')

async function plan(options: object = {}) {
  const { id } = await acted(owner, '/api/admin/imports', { kind: 'stripe', upload: null, options })
  await runJob(world.ctx, 'imports')
  return show(id)
}

async function act(id: string, what: 'apply' | 'undo') {
  await acted(owner, `/api/admin/imports/${id}/${what}`)
  await runJob(world.ctx, 'imports')
  return show(id)
}

const countOf = ({ facts }: { facts: { fact: string; count: number }[] }, name: string) =>
  facts.find(({ fact }) => fact === name)?.count ?? 0

const linesOf = (given: Import) => Object.fromEntries(planLines(given).map(({ label, count }) => [label, count]))

test('an account is planned, adopted once, and what isn’t named goes on', async () => {
  world.addUser({ email: 'kim@example.com' })
  const kim = await sellElsewhere(world, { amount: 30_000 })
  const lee = await sellElsewhere(world, { email: 'Lee@Example.com', amount: 4899 })
  await world.ctx.stripe.customers.update(String(lee.customer), { name: '\u200BŁee\u00AD Sto\u200Bne\u202C' })
  const dollars = await sellElsewhere(world, { email: 'dee@example.com', price: { currency: 'usd' } })
  const paused = await sellElsewhere(world, { email: 'pat@example.com' })
  await world.ctx.stripe.subscriptions.update(paused.id, { pause_collection: { behavior: 'void' } })
  for (const _ of [1, 2]) await sellElsewhere(world, { email: 'two@example.com' })
  await sellElsewhere(world, { email: null })
  await world.sandbox.settle()

  const planned = await plan()
  expect(planned).toMatchObject({ state: 'planned', source: 'stripe', counts: { new: 1, existing: 0, refused: 6 } })
  const stays = planned.facts.filter(({ fact }: { fact: string }) => fact.startsWith('stays-'))
  expect(Object.fromEntries(stays.map(({ fact, count }: { fact: string; count: number }) => [fact, count]))).toEqual({
    'stays-currency': 1,
    'stays-paused': 1,
    'stays-no_tier': 1,
    'stays-no_address': 1,
    'stays-two_of_one': 2,
  })
  const priceOf = (id: string) => planned.columns.find(({ heading }: ImportColumn) => heading === id)
  expect(priceOf(kim.items.data[0]?.price.id ?? '')).toMatchObject({
    field: 'standard',
    sample: 'The Club · £300.00 a month · 1 subscription · You keep £250.00 of £300.00.',
    guess: 'amount',
  })
  const cheap = lee.items.data[0]?.price.id ?? ''
  expect(priceOf(cheap)).toMatchObject({ field: null })
  expect([countRows(world, 'customers'), countRows(world, 'users')]).toEqual([0, 2])

  const chosen = await plan({ tiers: { [cheap]: 'lite' } })
  expect(chosen).toMatchObject({ counts: { new: 2, refused: 5 } })
  expect([countOf(chosen, 'account-known'), countOf(chosen, 'account-made'), countOf(chosen, 'adopts-gross')]).toEqual([
    1, 1, 2,
  ])
  const mails = countRows(world, 'mail_outbox')
  const before = await world.ctx.stripe.charges.list({ limit: 100 })
  expect(await act(chosen.id, 'apply')).toMatchObject({ state: 'applied', done: 2, failed: 0 })
  expect((await world.ctx.stripe.charges.list({ limit: 100 })).data.length).toBe(before.data.length)
  expect(countRows(world, 'mail_outbox')).toBe(mails)
  const members = world.ctx.sqlite
    .prepare(`select email, firstName, lastName, tierSlug, status from subscriptions join customers on customers.id = customerId
      join users on users.id = userId order by email`)
    .all()
  expect(members).toEqual([
    { email: 'kim@example.com', firstName: 'Danny', lastName: 'Marsh', tierSlug: 'standard', status: 'active' },
    { email: 'lee@example.com', firstName: 'Łee', lastName: 'Stone', tierSlug: 'lite', status: 'active' },
  ])
  const { status } = await world.ctx.stripe.subscriptions.retrieve(dollars.id)
  expect(status).toBe('active')
  // Kim had an account, so only Lee has to be told.
  const letters = `/api/admin/imports/${chosen.id}/letters`
  expect(await acted(owner, letters, undefined, 'GET')).toMatchObject({ people: 1, unwritten: 1, withoutAccess: 0 })
  expect(await acted(owner, letters, { count: 50, isAgain: false })).toMatchObject({ sent: 1, letters: { written: 1 } })
  expect(await acted(owner, letters, { count: 50, isAgain: false })).toMatchObject({ sent: 0 })

  // Read again: only what's left.
  const again = await plan({ tiers: { [cheap]: 'lite' } })
  expect(again).toMatchObject({ counts: { new: 0, existing: 2, refused: 5 } })
  expect(again.id).not.toBe(chosen.id)
  expect(await act(chosen.id, 'undo')).toMatchObject({ state: 'undone', undone: 2, kept: 0 })
  expect([countRows(world, 'customers'), countRows(world, 'users', `email like 'lee%'`)]).toEqual([0, 0])
  // What was chosen for a price goes on, unless it's chosen again.
  const next = await plan()
  expect(next.columns.find(({ heading }: ImportColumn) => heading === cheap)).toEqual({
    heading: cheap,
    field: 'lite',
    sample: 'The Club · £48.99 a month · 1 subscription · You keep £40.82 of £48.99.',
  })
  expect(await plan({ tiers: { [cheap]: 'xl', price_nobody: 'xl' } })).toMatchObject({
    problem: 'No subscription has the price price_nobody. Check --tier.',
  })
  expect(await act(next.id, 'apply')).toMatchObject({ done: 2, failed: 0 })
})

test('plan, report and letters count the same people, adopted or let in for free', async () => {
  await sellElsewhere(world, { email: 'kim@example.com' })
  for (const [email, times] of [
    ['pat@example.com', 2],
    ['sam@example.com', 1],
  ] as const)
    for (let at = 0; at < times; at += 1) {
      const { id } = await sellElsewhere(world, { email })
      await world.ctx.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
    }
  const planned = await plan({ freeAccess: true })
  expect([importSentence(planned), madeNoun(planned)]).toEqual([
    'You can take over 1 subscription. 2 people get free access. Nothing’s changed yet.',
    '1 subscription',
  ])
  expect(linesOf(planned)).toMatchObject({ 'Can be adopted': 1, 'Stay at Stripe': 3, 'They get an account': 3 })
  const rows = async () => JSON.stringify(await rowsOf(planned.id))
  expect(await rows()).toMatch(/"pat@example\.com · sub_\w+ \(£300\.00 a month\) is paused\./)
  // By then someone has given Sam access, so there's nothing to give.
  const sam = world.addUser({ email: 'sam@example.com' })
  world.ctx.db.update(users).set({ accessOverride: 'granted', accessTier: 'lite' }).where(eq(users.id, sam.id)).run()
  const applied = await act(planned.id, 'apply')
  expect(importSentence(applied)).toBe(
    'You’ve taken over 1 subscription. 1 person has free access until the day they’ve paid up to. 1 stayed where it was.',
  )
  expect(await rows()).toMatch(/"sub_\w+ \(£300\.00 a month\) is paused\./)
  expect(await rows()).not.toContain('@')
  expect(await rows()).toContain('You’d set their access yourself by then, so we left it.')
  expect(linesOf(applied)).toMatchObject({
    Adopted: 1,
    'Stay at Stripe': 3,
    'Free access until the day they’ve paid up to': 1,
  })
  const letters = await acted(owner, `/api/admin/imports/${planned.id}/letters`, undefined, 'GET')
  expect(letters).toMatchObject({ people: 2 })
  const undone = await act(planned.id, 'undo')
  expect(importSentence(undone)).toBe(
    'You’ve let go of 1 subscription. They carry on in Stripe. Free access is over for 1 person.',
  )
  expect(linesOf(undone)).toEqual({ 'Taken out again': 2 })
})

test('who can’t be adopted may have free access until the day they’ve paid up to', async () => {
  const { id } = await sellElsewhere(world, { email: 'pat@example.com' })
  await world.ctx.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
  const planned = await plan({ freeAccess: true })
  expect([countOf(planned, 'stays-paused'), countOf(planned, 'free-access')]).toEqual([1, 1])
  const [row]: ImportRow[] = await rowsOf(planned.id)
  expect(row?.reason).toMatch(/is paused\. Resume it in Stripe, then read again\. Free access until /)
  expect(await act(planned.id, 'apply')).toMatchObject({ done: 1, failed: 0 })
  const access = world.ctx.sqlite
    .prepare(`select accessOverride, accessTier, accessUntil from users where email = 'pat@example.com'`)
    .get()
  const end = new Date(world.ctx.billingNow().getTime() + 32 * 86_400_000).toISOString()
  expect(access).toMatchObject({ accessOverride: 'granted', accessTier: 'standard' })
  expect((access as { accessUntil: string }).accessUntil < end).toBe(true)
  expect(countRows(world, 'customers')).toBe(0)
  const letters = `/api/admin/imports/${planned.id}/letters`
  expect(await acted(owner, letters, undefined, 'GET')).toMatchObject({ people: 1, unwritten: 1, withoutAccess: 0 })
  // They may still pay there: they aren't asked to join.
  const mails = countRows(world, 'mail_outbox')
  await world.advance(40)
  expect(await runJob(world.ctx, 'free-access')).toMatchObject({ report: { ended: 1, mails: 0 } })
  expect(countRows(world, 'mail_outbox')).toBe(mails)
  expect(await act(planned.id, 'undo')).toMatchObject({ undone: 1 })
  expect(countRows(world, 'users', `email = 'pat@example.com'`)).toBe(0)
})

test('free access is only promised on a tier that’s known', async () => {
  const { id, items } = await sellElsewhere(world, { email: 'dee@example.com', price: { currency: 'usd' } })
  const planned = await plan({ freeAccess: true })
  expect(planned.counts).toMatchObject({ new: 0, refused: 1 })
  expect([countOf(planned, 'free-access'), linesOf(planned)['Need a tier before you can let them in']]).toEqual([0, 1])
  const [row]: ImportRow[] = await rowsOf(planned.id)
  const stays = `dee@example.com · ${id} (300.00 USD a month) isn’t in pounds. When it ends, ask them to join here.`
  expect(row?.reason).toBe(`${stays} Choose its tier to let them in.`)
  const price = items.data[0]?.price.id ?? ''
  const chosen = await plan({ freeAccess: true, tiers: { [price]: 'lite' } })
  expect([countOf(chosen, 'free-access'), countOf(chosen, 'tier-missing')]).toEqual([1, 0])
  expect(await act(chosen.id, 'apply')).toMatchObject({ done: 1, failed: 0, freeAccess: 1 })
  expect(countRows(world, 'users', `email = 'dee@example.com' and accessTier = 'lite'`)).toBe(1)
})

test('a plan is about what it named: a new one, or one that changed since, isn’t taken with it', {
  tags: ['full'],
}, async () => {
  const { id } = await sellElsewhere(world)
  const planned = await plan()
  await world.ctx.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
  await world.advance(1)
  await sellElsewhere(world, { email: 'new@example.com' })
  expect(await act(planned.id, 'apply')).toMatchObject({ state: 'applied', done: 1, failed: 1 })
  expect(countRows(world, 'customers')).toBe(0)
  const refused = await acted(owner, `/api/admin/imports/${planned.id}/rows?outcome=refused`, undefined, 'GET')
  expect(refused).toMatchObject([{ outcome: 'new', reason: expect.stringContaining('is paused') }])
})

test('while Stripe can’t be reached nothing is given up, and the job goes on afterwards', async () => {
  await sellElsewhere(world)
  await sellElsewhere(world, { email: 'lee@example.com' })
  const { id } = await plan()
  await acted(owner, `/api/admin/imports/${id}/apply`)
  await world.control('faults', { kind: 'error', path: '/v1/customers', times: 3 })
  await expect(runJob(world.ctx, 'imports')).rejects.toMatchObject({ code: 'payment_provider_unavailable' })
  expect(await show(id)).toMatchObject({ state: 'applying', done: 0, failed: 0 })
  // Nobody has an account without their membership.
  expect(countRows(world, 'users', 'isAdmin = 0')).toBe(0)
  await runJob(world.ctx, 'imports')
  expect(await show(id)).toMatchObject({ state: 'applied', done: 2, failed: 0 })
  expect(await act(id, 'undo')).toMatchObject({ state: 'undone', undone: 2, kept: 0 })
  expect(countRows(world, 'users', 'isAdmin = 0')).toBe(0)
})

test('a rehearsal reads with a restricted key, and can’t be applied', { tags: ['full'] }, async () => {
  await sellElsewhere(world)
  const planned = await plan({ rehearses: true })
  expect(planned).toMatchObject({ state: 'planned', counts: { new: 1 }, problem: null })
  const refused = await readError(await owner(`/api/admin/imports/${planned.id}/apply`, { method: 'POST' }))
  expect(refused).toMatchObject({
    status: 409,
    message: 'This was a rehearsal. Read Stripe again without it to adopt.',
  })
  const reading = createReadingStripe(world.ctx, 'rk_test_sandbox')
  await expect(reading.customers.create({})).rejects.toMatchObject({ message: 'A rehearsal only reads.' })
  const bare = await fetch(`${world.sandbox.url}/v1/customers`, {
    method: 'POST',
    headers: { authorization: 'Bearer rk_test_sandbox' },
  })
  expect([bare.status, (await reading.customers.list({})).data.length]).toEqual([403, 1])

  // A restricted key's refusal, as Stripe words it now and as it did before.
  const lacks = (words: string) => `The provided key 'rk_***' can’t do this on 'acct_1'. ${words} would allow it.`
  for (const [words, names] of [
    ['Enabling "Prices Read" (\'plan_read\') permissions on this key', 'Prices Read'],
    ["Having the 'rak_plan_read', 'rak_product_read' permissions", 'rak_plan_read, rak_product_read'],
  ] as const) {
    await world.control('faults', { kind: 'refuse', status: 403, path: '/v1/prices', message: lacks(words) })
    expect((await plan({ rehearses: true })).problem).toBe(
      `Your Stripe key isn’t allowed to do this. Give it ${names} in Stripe, under Developers, API keys.`,
    )
  }
})
