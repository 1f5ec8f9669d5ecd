import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { acted, becomeMember } from '#api/testing/billing.ts'
import { billingOf, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { AdminTierList, PriceChange, PricePreview } from '#shared/contract/admin-tier.ts'

let world: PaymentWorld
let ownerId = ''
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2026-06-12T07:40:00.000Z') })
  ownerId = world.addOwner().id
})
afterEach(() => world.stop())

/** Signs in for each call, since a password's proof runs out. */
const owner: Call = (address, options) => world.signIn({ id: ownerId, email: '' })(address, options)
const path = '/api/admin/tiers/standard/price'
const asked = async (price: number, from?: string) =>
  v.parse(
    PricePreview,
    await (await owner(`${path}?every=year&price=${price}${from === undefined ? '' : `&from=${from}`}`)).json(),
  )
async function set(price: number, more: { from?: string; movesMembers?: boolean } = {}) {
  const { confirmation } = await asked(price, more.from)
  const body = { every: 'year', price, movesMembers: false, ...more, confirmation }
  return v.parse(PriceChange, await (await owner(path, { body })).json())
}
async function yearId() {
  const tiers = v.parse(AdminTierList, await (await owner('/api/admin/tiers')).json())
  return tiers.find(({ slug }) => slug === 'standard')?.prices.find(({ every }) => every === 'year')?.id ?? ''
}

/** To a day at noon, month by month, with the jobs that a server runs meanwhile. */
async function until(day: string) {
  const end = Date.parse(`${day}T12:00:00.000Z`)
  for (let left = end - world.ctx.billingNow().getTime(); left > 0; left = end - world.ctx.billingNow().getTime()) {
    await world.advance(Math.min(left / 86_400_000, 28))
    await world.sandbox.settle()
    for (const job of ['mail', 'price-moves', 'renewals', 'mail'] as const) await runJob(world.ctx, job)
  }
}

const person = (name: string) => ({ ...sam, email: `${name.toLowerCase()}@example.com`, name: `${name} Field` })
const mailsTo = (email: string, cause: string) =>
  world.ctx.sqlite
    .prepare<[string, string], string>(`select text from mail_outbox where "to" = ? and cause like ? order by id`)
    .pluck()
    .all(email, `${cause}:%`)
async function paidBy(email: string) {
  const [customer] = (await world.ctx.stripe.customers.list({ email })).data
  const { data } = await world.ctx.stripe.invoices.list({ customer: customer?.id ?? '', limit: 100 })
  return data.map(
    ({ status, total, created }) => `${status} ${total} ${new Date(created * 1000).toISOString().slice(0, 10)}`,
  )
}

test('a year’s next price comes on its day, is told to who pays by the year, and is paid from the first renewal 30 days on', async () => {
  await set(250_000)
  const yearly = { priceId: await yearId() }
  const ann = await becomeMember(world, cards.pays, { ...person('Ann'), ...yearly })
  const monthly = await becomeMember(world, cards.pays, person('Mia'))
  await until('2026-07-20')
  const cat = await becomeMember(world, cards.pays, person('Cat'))
  await until('2026-09-01')
  const ben = await becomeMember(world, cards.pays, { ...person('Ben'), ...yearly })
  await until('2026-10-05')
  // From here on her year counts, not the day she joined.
  const wanted = { tierSlug: 'standard', ...yearly }
  const { attemptId } = await acted(cat, '/api/billing/upgrade/preview', wanted)
  await acted(cat, '/api/billing/upgrade', { attemptId })
  expect(await billingOf(cat)).toMatchObject({ plan: { net: 250_000, months: 12 } })

  await until('2027-05-01')
  await set(280_000, { from: '2027-06-01' })
  expect((await asked(280_000, '2027-06-01')).members.map(({ stays }) => stays)).toEqual(['later', 'later', 'later'])
  await until('2027-06-02')
  const shown = await asked(280_000)
  expect(shown.members.map(({ email, from, to, on, stays }) => [email, from, to, on, stays])).toEqual([
    // Renews in ten days, at the old price.
    ['ann@example.com', 250_000, 280_000, '2028-06-12', null],
    ['ben@example.com', 250_000, 280_000, '2027-09-01', null],
    ['cat@example.com', 250_000, 280_000, '2027-10-05', null],
  ])
  expect((await set(280_000, { movesMembers: true })).told).toBe(3)
  expect(mailsTo('ann@example.com', 'price-move')).toEqual([
    expect.stringMatching(/£3,360\.00 a year[\s\S]*12 June 2028/),
  ])

  await until('2027-10-20')
  expect(await billingOf(ann)).toMatchObject({
    plan: { net: 250_000, months: 12 },
    nextPlan: { net: 280_000, months: 12, from: '2028-06-12' },
  })
  expect((await billingOf(ben)).plan).toMatchObject({ net: 280_000, months: 12 })
  expect((await billingOf(cat)).plan).toMatchObject({ net: 280_000, months: 12 })
  expect((await billingOf(monthly)).plan).toMatchObject({ net: 25_000 })
  expect((await paidBy('ben@example.com')).slice(0, 2)).toEqual(['paid 336000 2027-09-01', 'paid 300000 2026-09-01'])
  expect((await paidBy('cat@example.com'))[0]).toBe('paid 336000 2027-10-05')
  expect((await paidBy('ann@example.com'))[0]).toBe('paid 300000 2027-06-12')
  expect(mailsTo('ben@example.com', 'renewal').join('\n')).toMatch(/£3,360\.00/)

  await until('2028-06-15')
  expect((await billingOf(ann)).plan).toMatchObject({ net: 280_000, months: 12 })
  expect((await paidBy('ann@example.com'))[0]).toBe('paid 336000 2028-06-12')
})
