import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginJoin, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'

let world: PaymentWorld
let owner: Call
let today: string
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
  today = londonDay(world.ctx.billingNow())
})
afterEach(() => world.stop())

const path = '/api/admin/commission-rates'
const set = (tierSlug: string, rate: unknown, validFrom?: string) =>
  owner(path, { body: { tierSlug, rate, ...(validFrom ? { validFrom } : {}) } })
async function join(email: string) {
  const { response } = await beginJoin(world.call, { ...sam, email })
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
}
const earned = () =>
  world.ctx.sqlite.prepare<[], number>('select amount from commission_ledger order by rowid').pluck().all()

test('MRR-7 ten per cent until another rate begins; what is written stays as it was', async () => {
  await join('one@example.com')
  expect((await set('standard', 15, addDays(today, 3))).status).toBe(200)
  await world.advance(2)
  await join('two@example.com')
  await world.advance(1)
  await join('three@example.com')
  expect(earned()).toEqual([2_500, 2_500, 3_750])
  const rates = await (await owner(path)).json()
  expect(rates).toEqual([
    { tierSlug: 'lite', tierName: 'Alliance Lite', rate: 10, validFrom: null },
    { tierSlug: 'standard', tierName: 'Alliance', rate: 10, validFrom: null },
    { tierSlug: 'standard', tierName: 'Alliance', rate: 15, validFrom: addDays(today, 3) },
    { tierSlug: 'xl', tierName: 'Alliance XL', rate: 10, validFrom: null },
  ])
})

test('MRR-7 a rate for days whose commission is written is refused, and the first free day named', async () => {
  await join('one@example.com')
  for (const day of [today, addDays(today, -30), undefined]) {
    const { status, message } = await readError(await set('standard', 20, day))
    expect([status, message]).toEqual([409, expect.stringContaining(formatLongDate(addDays(today, 1)))])
  }
  expect((await set('lite', 20)).status).toBe(200)
  expect((await set('lite', 20)).status).toBe(200)
  const actions = world.ctx.sqlite.prepare(`select action from audit_entries where action like '%rate%'`).all()
  expect(actions).toHaveLength(1)
})

test.each([[-1], [101], [12.5], ['10']])('a rate of %j is no rate', async (rate) => {
  expect(await readError(await set('lite', rate))).toMatchObject({
    status: 422,
    fields: { rate: 'Give a whole number from 0 to 100.' },
  })
})
