import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sellElsewhere } from '#api/testing/adopting.ts'
import { acted, personCalled } from '#api/testing/billing.ts'
import { billingOf } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { Earned } from '#shared/contract/earned.ts'
import { MemberRecord } from '#shared/contract/member-record.ts'
import { timingNotes } from '#shared/rules/earned.ts'
import { stateLine } from '#shared/rules/state-line.ts'

const kim = 'kim@example.com'

let world: PaymentWorld
let owner: Call
let call: Call
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-02-27T10:00:00.000Z') })
  owner = world.signIn(world.addOwner())
  const { id } = await sellElsewhere(world, {
    amount: 250_000,
    price: { recurring: { interval: 'year' } },
    tax: { percentage: 20, inclusive: false },
  })
  world.addUser({ email: kim })
  await acted(owner, '/api/admin/subscription-links', {
    reference: id,
    email: kim,
    providerEmail: kim,
    tier: 'standard',
  })
  call = world.signIn(personCalled(world, kim))
})
afterEach(() => world.stop())

const earned = async (by: string) =>
  v
    .parse(Earned, await (await owner(`/api/admin/earned?by=${by}`)).json())
    .lines.map((line) => [
      line.period,
      line.forLater,
      timingNotes(line).filter((note) => note.includes('later months')),
    ])
const record = async () =>
  v.parse(MemberRecord, await (await owner(`/api/admin/members/${personCalled(world, kim).id}/record`)).json())
const mail = (cause: string) =>
  world.ctx.sqlite.prepare(`select subject || char(10) || text from mail_outbox where cause like ?`).pluck().get(cause)
const ledger = () =>
  world.ctx.sqlite.prepare('select kind, net, amount, dueOn from commission_ledger order by createdAt, id').raw().all()

test('what a year pays ahead is said by month, quarter and tax year, less what went back', async () => {
  const note = (pounds: string) => [`${pounds} of what you took, without VAT, is for later months.`]
  expect(await earned('month')).toEqual([['2027-02', 229_167, note('£2,291.67')]])
  // February and March have begun by the end of both.
  expect(await earned('quarter')).toEqual([['2027-Q1', 208_334, note('£2,083.34')]])
  expect(await earned('tax-year')).toEqual([['2026/27', 208_334, note('£2,083.34')]])
  await world.advance(40)
  const [payment] = (await record()).payments
  expect(payment?.unused).toEqual({ months: 10, of: 12, amount: 250_000 })
  const refund = { id: world.ctx.newId(), paymentId: payment?.paymentId, amount: 250_000, reason: 'Sold the van' }
  await acted(owner, `/api/admin/members/${personCalled(world, kim).id}/refund`, { ...refund, endsMembership: false })
  expect((await record()).payments[0]).toMatchObject({ refundable: 50_000 })
  expect((await record()).payments[0]).not.toHaveProperty('unused')
  // £2,083.33 of the £2,500 went back, so a penny of March is all that's for later.
  expect((await earned('quarter')).at(-1)).toEqual(['2027-Q1', 1, note('£0.01')])
})

test('a year’s renewal: Billing, receipt and VAT invoice say a year, and commission is on the whole of it', async () => {
  expect(stateLine(await billingOf(call))).toBe(
    'Paid until 27 February 2028. Then we’ll take £3,000.00 for the next year.',
  )
  await world.advance(366)
  expect(await billingOf(call)).toMatchObject({ plan: { net: 250_000, months: 12 } })
  expect(mail('receipt:%')).toContain('For: Alliance membership, 27 February 2027 to 26 February 2028')
  const [payment] = (await record()).payments
  expect(payment).toMatchObject({ number: 'A-000002', total: 300_000, unused: { months: 11, of: 12, amount: 275_000 } })
  const page = await (await call(`/api/billing/invoices/${payment?.id}`)).text()
  expect(page).toContain('Alliance membership, 27 February 2028 to 26 February 2029')
  expect(page).toMatch(/Quantity[\s\S]{0,80}1 year/)
  expect(ledger()).toEqual([
    ['invoice', 250_000, 25_000, '2027-03-14'],
    ['invoice', 250_000, 25_000, '2028-03-13'],
  ])
  // Half of the year goes back, and half of its commission.
  const refund = { id: world.ctx.newId(), paymentId: payment?.paymentId, amount: 150_000, reason: 'Sold the van' }
  await acted(owner, `/api/admin/members/${personCalled(world, kim).id}/refund`, { ...refund, endsMembership: false })
  expect(ledger().at(-1)).toEqual(['clawback', -125_000, -12_500, expect.any(String)])
  expect((await record()).payments[0]?.unused).toEqual({ months: 11, of: 12, amount: 125_000 })
})

test('under the guarantee all of a year goes back, with its commission', async () => {
  expect((await record()).guarantee).toEqual({ endsOn: '2027-03-13', refundable: 300_000 })
  await acted(owner, `/api/admin/members/${personCalled(world, kim).id}/refund`, { reason: 'Not for them' })
  expect((await record()).payments[0]).toMatchObject({ refundable: 0 })
  expect(ledger()).toEqual([
    ['invoice', 250_000, 25_000, '2027-03-14'],
    ['clawback', -250_000, -25_000, expect.any(String)],
  ])
  expect(await earned('month')).toEqual([['2027-02', 0, []]])
})
