import { parse } from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { relational } from '#api/db/tables.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { VatReturn } from '#shared/contract/accounting.ts'
import { Earned, type EarnedSpan } from '#shared/contract/earned.ts'
import { timingNotes } from '#shared/rules/earned.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-02-27T10:00:00.000Z') })
  await becomeMember(world)
})
afterEach(() => world.stop())

async function read<T>(path: string): Promise<T> {
  const response = await world.signIn(world.addOwner())(path)
  expect(response.status).toBe(200)
  return response.json()
}
const earned = async (by: EarnedSpan = 'month') => parse(Earned, await read(`/api/admin/earned?by=${by}`))
const lineOf = async (period: string, by: EarnedSpan = 'month') =>
  (await earned(by)).lines.find((line) => line.period === period)

test('months before the first reading say what was taken and that fees aren’t known', async () => {
  expect(await earned()).toMatchObject({
    from: null,
    balance: null,
    lines: [{ period: '2027-02', taken: 30_000, refunded: 0, vat: 5_000, fees: null, left: null, bridge: null }],
  })
})

test('a month adds up to what’s left, its bridge to Stripe’s balance, and its VAT to box 1', async () => {
  await world.advance(29)
  const [renewal] = (await world.ctx.stripe.charges.list({})).data
  await world.ctx.stripe.refunds.create({ charge: renewal?.id ?? '', amount: 6_000 })
  await world.control('disputes', { charge: renewal?.id })
  await world.sandbox.settle()
  await runJob(world.ctx, 'reconcile')
  const all = await earned()
  expect(all.from).toBe('2025-03')
  expect(all.balance?.ours).toBe(all.balance?.stripe)
  // Paid out: the first payment less its fee. The renewal's payout waits for the dispute.
  const [march, february] = all.lines
  expect(february).toMatchObject({
    taken: 30_000,
    refunded: 0,
    vat: 5_000,
    fees: 470,
    offInvoices: 0,
    offCredits: 0,
    bridge: { before: 0, taken: 30_000, fees: 470, paidOut: 0, after: 29_530 },
  })
  expect(february?.left).toBe(30_000 - 5_000 - 470 - (february?.commission ?? 0))
  expect(march?.bridge).toEqual({
    before: 29_530,
    taken: 30_000,
    refunded: 6_000,
    fees: 2_470,
    disputes: -30_000,
    other: 0,
    paidOut: 29_530,
    after: 29_530 + 30_000 - 6_000 - 2_470 - 30_000 - 29_530,
  })
  expect(all.balance?.stripe).toBe(march?.bridge?.after)
  // The bank took the whole payment back, and no document says so yet.
  expect(march).toMatchObject({ taken: 30_000, refunded: 36_000, vat: 4_000, offInvoices: 0, offCredits: 30_000 })
  const quarter = await lineOf('2027-Q1', 'quarter')
  const { boxes } = parse(VatReturn, await read('/api/admin/vat/2027-Q1'))
  expect(quarter).toMatchObject({ vat: boxes[1], taken: 60_000, bridge: { before: 0, after: march?.bridge?.after } })
  expect(await lineOf('2026/27', 'tax-year')).toEqual({ ...quarter, period: '2026/27' })
})

test('a run reads what’s new, and everything again when the sum isn’t Stripe’s', async () => {
  await runJob(world.ctx, 'reconcile')
  world.ctx.sqlite.exec('delete from balance_transactions')
  const broken = await earned()
  expect(broken.balance).toMatchObject({ ours: 0, stripe: 29_530 })
  await world.advance(40)
  await runJob(world.ctx, 'reconcile')
  const { balance, lines } = await earned()
  expect(balance?.ours).toBe(balance?.stripe)
  expect(lines.map(({ period, taken }) => [period, taken])).toEqual([
    ['2027-04', 0],
    ['2027-03', 30_000],
    ['2027-02', 30_000],
  ])
  expect(lines[0]?.bridge).toMatchObject({ before: lines[1]?.bridge?.after, after: balance?.stripe })
})

test('an account with a past before the months we read begins with the balance it had', {
  tags: ['full'],
}, async () => {
  await world.advance(800)
  await runJob(world.ctx, 'reconcile')
  const { from, lines, balance } = await earned()
  expect(from).toBe('2027-05')
  expect(balance?.ours).toBe(balance?.stripe)
  const first = lines.find(({ period }) => period === from)
  expect(first?.bridge).not.toBeNull()
  expect(lines.find(({ period }) => period === '2027-04')).toMatchObject({ taken: 30_000, fees: null, bridge: null })
  const year = await lineOf('2027/28', 'tax-year')
  expect(year).toMatchObject({ fees: null, left: null, bridge: null })
})

async function refundHalf(): Promise<void> {
  const [payment] = (await world.ctx.stripe.invoices.list({})).data
  const userId = relational(world.ctx.db).query.customers.findFirst().sync()?.userId
  const body = { id: world.ctx.newId(), paymentId: payment?.id, amount: 15_000, reason: 'A bad week' }
  const response = await world.signIn(world.addOwner())(`/api/admin/members/${userId}/refund`, { body })
  expect(response.status).toBe(200)
}

test('a refund and a payment are in the figures straight away, before the nightly reading', async () => {
  await runJob(world.ctx, 'reconcile')
  await refundHalf()
  const [february] = (await earned()).lines
  expect(february).toMatchObject({ taken: 30_000, refunded: 15_000, vat: 2_500, fees: 470, offCredits: 0 })
  expect(february?.left).toBe(30_000 - 15_000 - 2_500 - 470 - (february?.commission ?? 0))
  expect(february && timingNotes(february)).toEqual([])
  await world.advance(29)
  expect(await lineOf('2027-03')).toMatchObject({ taken: 30_000, vat: 5_000, fees: 470, offInvoices: 0 })
  const { balance } = await earned()
  expect(balance?.ours).toBe(balance?.stripe)
})

test('a refund goes through when Stripe’s transactions can’t be read, and its note is still true', async () => {
  await runJob(world.ctx, 'reconcile')
  await world.control('faults', { kind: 'error', path: '/v1/balance', times: 100 })
  await refundHalf()
  const [february] = (await earned()).lines
  const note = '£150.00 was credited, but isn’t in this period’s refunds at Stripe.'
  expect(february && timingNotes(february)).toEqual([note])
  expect(world.logged.filter((line) => line.includes('balance not read'))).not.toEqual([])
})
