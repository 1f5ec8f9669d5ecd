import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listMailbox } from '#api/features/mail/mailbox-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { acted, timesCharged } from '#api/testing/billing.ts'
import { countRows, onlyCustomer } from '#api/testing/joining.ts'
import { issuedInvoices, issuedNotes, joinAndPay } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { MemberPaymentsList } from '#shared/contract/commission.ts'
import { RevenueMonthList } from '#shared/contract/revenue.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  // In a month of 28 days, half a month is 14.
  world = await startPaymentWorld({ startsAt: new Date('2027-02-01T10:00:00.000Z') })
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

async function upgradeAfter(days: number): Promise<Call> {
  const { call } = await joinAndPay(world)
  await world.advance(days)
  const { attemptId } = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
  await acted(call, '/api/billing/upgrade', { attemptId })
  return call
}

const ledger = () =>
  world.ctx.sqlite
    .prepare<[], { line: string }>(
      `select kind || ' ' || coalesce(tierSlug, '') || ' ' || net || ' ' || amount || ' ' || dueOn as line
       from commission_ledger order by rowid`,
    )
    .all()
    .map(({ line }) => line)

async function refund() {
  const row = world.ctx.sqlite.prepare<[], { id: string }>('select id from users where isAdmin = 0').get()
  return owner(`/api/admin/members/${row?.id}/refund`, { method: 'POST' })
}

test('commission on an upgrade: on its net, both lines together, at the rate of the tier that is charged', {
  tags: ['full'],
}, async () => {
  await owner('/api/admin/commission-rates', { body: { tierSlug: 'xl', rate: 20 } })
  await upgradeAfter(14)
  expect(ledger()).toEqual(['invoice standard 25000 2500 2027-02-16', 'invoice xl 10000 2000 2027-03-02'])
  const [member] = v.parse(MemberPaymentsList, await (await owner('/api/admin/member-payments')).json())
  expect(member).toMatchObject({ monthlyAmount: 450, commissionAmount: 90 })
  expect(member?.monthlyPayments).toMatchObject([
    { paymentMonth: '2027-02', membershipAmount: 35_000, commissionAmount: 4_500 },
  ])
})

test('the VAT invoice of an upgrade has both lines, with the VAT of each, and is mailed with the receipt', async () => {
  const call = await upgradeAfter(14)
  const invoice = issuedInvoices(world)[1]
  expect(invoice).toMatchObject({ tierSlug: 'xl', net: 10_000, vat: 2_000, gross: 12_000 })
  expect(invoice?.lines).toMatchObject([
    {
      description: 'Less the unused part of the Alliance membership, 15 February 2027 to 28 February 2027',
      net: -12_500,
      vat: -2_500,
    },
    {
      description: expect.stringMatching(/membership, 15 February 2027 to 28 February 2027$/),
      net: 22_500,
      vat: 4_500,
    },
  ])
  const page = await (await call(`/api/billing/invoices/${invoice?.id}`)).text()
  for (const part of ['−£125.00', '−£25.00', '£225.00', '£45.00', '£120.00']) expect(page).toContain(part)
  expect(page).not.toContain('1 month')
  expect((await call(`/api/billing/invoices/${invoice?.id}/pdf`)).headers.get('content-type')).toBe('application/pdf')
  await runJob(world.ctx, 'mail')
  const receipts = (await listMailbox(world.ctx)).filter(({ text }) => text.includes('Less the unused part'))
  expect(receipts).toHaveLength(1)
  expect(receipts[0]?.text).toMatch(
    /Alliance XL membership, 15 February 2027 to 28 February 2027: £225\.00\nLess the unused part of the Alliance membership, 15 February 2027 to 28 February 2027: −£125\.00\nNet: £100\.00\nVAT 20%: £20\.00\nTotal: £120\.00/,
  )
})

test('revenue grows with the payment of an upgrade, in its own month, not with the period', {
  tags: ['full'],
}, async () => {
  const { call } = await joinAndPay(world)
  await world.advance(28 + 10)
  const { attemptId } = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
  await acted(call, '/api/billing/upgrade', { attemptId })
  const change = world.ctx.sqlite
    .prepare(
      `select kind, beforeYearly / 12 as before, afterYearly / 12 as after, at from revenue_changes order by rowid desc`,
    )
    .get()
  expect(change).toEqual({ kind: 'expansion', before: 25_000, after: 45_000, at: '2027-03-11T10:00:00.000Z' })
  const months = v.parse(RevenueMonthList, await (await owner('/api/admin/revenue-months')).json())
  expect(months.at(-1)).toMatchObject({ month: '2027-03', movements: { expansion: 20_000 }, closing: 45_000 })
  const mrr = await (await owner('/api/admin/mrr')).json()
  expect(mrr).toMatchObject({ totalMRR: 45_000 })
})

test('the guarantee runs from the first payment: within it both payments go back, and the commission on them', {
  tags: ['full'],
}, async () => {
  await upgradeAfter(7)
  const [upgrade] = issuedInvoices(world).slice(-1)
  const response = await refund()
  expect([response.status, await response.json()]).toMatchObject([200, { refunded: 30_000 + (upgrade?.gross ?? 0) }])
  await world.sandbox.settle()
  expect(
    issuedNotes(world)
      .map(({ gross }) => gross)
      .toSorted(),
  ).toEqual([upgrade?.gross, 30_000].toSorted())
  expect(countRows(world, 'commission_ledger', 'amount < 0')).toBe(2)
  const sum = world.ctx.sqlite.prepare('select sum(amount) as amount, sum(net) as net from commission_ledger').get()
  expect(sum).toEqual({ amount: 0, net: 0 })
  expect((await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data).toEqual([])
})

test('an upgrade opens no guarantee of its own', { tags: ['full'] }, async () => {
  await upgradeAfter(15)
  expect(await readError(await refund())).toMatchObject({
    status: 409,
    message: expect.stringMatching(/^The 14-day guarantee ended on/),
  })
  expect(await timesCharged(world)).toBe(2)
})
