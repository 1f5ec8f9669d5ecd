import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { transact } from '#api/db/open.ts'
import { closeMonths } from '#api/features/earnings/month-jobs.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { addPaidMonth } from '#api/testing/commission.ts'
import { beginJoin, onlyCustomer, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import {
  CommissionHistory,
  CommissionStatement,
  InactiveMemberList,
  MemberPaymentsList,
} from '#shared/contract/commission.ts'
import { RevenueMonthList } from '#shared/contract/revenue.ts'
import { addDays, formatLongDate, londonDay, londonMonth, nextMonth, startOfMonth } from '#shared/rules/london.ts'
import { writeLedger } from './ledger-service.ts'

let world: PaymentWorld
let owner: Call
let month: [string, string, string]
let today: string
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
  today = londonDay(world.ctx.billingNow())
  const first = londonMonth(world.ctx.billingNow())
  month = [first, nextMonth(first), nextMonth(nextMonth(first))]
})
afterEach(() => world.stop())

const get = async <Schema extends v.GenericSchema>(schema: Schema, path: string): Promise<v.InferOutput<Schema>> =>
  v.parse(schema, await (await owner(path)).json())
const payments = () => get(MemberPaymentsList, '/api/admin/member-payments')
const history = () => get(CommissionHistory, '/api/admin/commission-history')
const statement = (of: string) => get(CommissionStatement, `/api/admin/commission-statements/${of}`)
async function sumsOf(of: string) {
  const { opening, earned, clawBacks, upSells, reversals, payments: paid, closing } = await statement(of)
  expect(opening + earned + clawBacks + upSells + reversals + paid).toBe(closing)
  return { opening, earned, clawBacks, upSells, reversals, payments: paid, closing }
}
const setPaid = (userId: string, commissionPaid: boolean, commissionMonth?: string) =>
  owner(`/api/admin/commission-status/${userId}`, {
    method: 'PATCH',
    body: { commissionPaid, ...(commissionMonth ? { commissionMonth } : {}) },
  })
const lines = () =>
  world.ctx.sqlite
    .prepare<[], { kind: string; amount: number }>('select kind, amount from commission_ledger order by rowid')
    .all()
const lineWords = () => lines().map(({ kind, amount }) => `${kind} ${amount}`)

async function join(body: object = sam) {
  const { response } = await beginJoin(world.call, body)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  return (
    world.ctx.sqlite.prepare<[], { id: string }>('select id from users where isAdmin = 0 order by rowid desc').get()
      ?.id ?? ''
  )
}
async function refund(amount?: number) {
  const { stripe } = world.ctx
  const [charge] = (await stripe.charges.list({ customer: onlyCustomer(world) })).data
  await stripe.refunds.create({ charge: charge?.id ?? '', ...(amount === undefined ? {} : { amount }) })
  await syncCustomer(world.ctx, onlyCustomer(world))
  await world.sandbox.settle()
}

test('MRR-6 CALLS-14 CALLS-15 ENT-16 ENT-17 ENT-18 a payment earns its commission once, held while the guarantee runs; a member’s amounts are pounds, the months pence', async () => {
  const id = await join()
  for (let again = 0; again < 3; again += 1) await syncCustomer(world.ctx, onlyCustomer(world))
  expect(lineWords()).toEqual(['invoice 2500'])
  const [member, ...others] = await payments()
  expect(others).toEqual([])
  expect(member).toEqual({
    id,
    firstName: 'Sam',
    lastName: 'Field',
    email: sam.email,
    tierName: 'Alliance',
    monthlyAmount: 250,
    commissionAmount: 25,
    monthlyPayments: [
      {
        id: expect.any(String),
        paymentMonth: month[0],
        paymentDate: today,
        membershipAmount: 25_000,
        commissionAmount: 2_500,
        commissionPaid: false,
        commissionPaidDate: null,
      },
    ],
  })
  expect(await history()).toEqual({
    totalMembers: 1,
    totalCommissionPaid: 0,
    totalCommissionOutstanding: 2_500,
    membersPaid: 0,
    membersUnpaid: 1,
  })
})

test('CALLS-36 as long as the guarantee may run nothing is due, and the day is named', async () => {
  const id = await join()
  const early = await readError(await setPaid(id, true))
  expect(early).toMatchObject({ status: 409, code: 'conflict' })
  expect(early.message).toContain(`is due from ${formatLongDate(addDays(today, 15))}`)
  expect((await payments())[0]?.monthlyPayments[0]).toMatchObject({ paymentDate: today })
  expect(await readError(await setPaid(id, true, '2020-01'))).toMatchObject({
    status: 409,
    message: 'No commission for this month.',
  })
  const stranger = world.addUser()
  expect(await readError(await setPaid(stranger.id, true))).toMatchObject({ message: 'No commission for this month.' })
  expect(await readError(await setPaid('nobody', true))).toMatchObject({ status: 404 })
  expect(await readError(await setPaid(id, true, '2026-13'))).toMatchObject({ status: 422 })
  await world.advance(14)
  expect(await readError(await setPaid(id, true, month[0]))).toMatchObject({ status: 409, message: early.message })
  expect(lineWords()).toEqual(['invoice 2500'])
})

test('MRR-2 CALLS-36 due commission is paid once however often it is asked, and unpaid again', async () => {
  const id = await join()
  await world.advance(15)
  for (let again = 0; again < 2; again += 1) expect((await setPaid(id, true, month[0])).status).toBe(200)
  expect(lineWords().slice(0, 2)).toEqual(['invoice 2500', 'payment -2500'])
  expect((await payments())[0]?.monthlyPayments.at(-1)).toMatchObject({
    commissionPaid: true,
    commissionPaidDate: world.ctx.billingNow().toISOString(),
    commissionAmount: 2_500,
  })
  expect(await history()).toMatchObject({ totalCommissionPaid: 2_500, totalCommissionOutstanding: 0, membersPaid: 1 })
  const repeats = () =>
    world.ctx.sqlite
      .prepare('select commissionPaid, lastCommissionMonth, commissionAmount from users where id = ?')
      .get(id)
  expect(repeats()).toEqual({ commissionPaid: 1, lastCommissionMonth: month[0], commissionAmount: 2_500 })
  for (let again = 0; again < 2; again += 1) expect((await setPaid(id, false, month[0])).status).toBe(200)
  expect(lineWords()).toEqual(['invoice 2500', 'payment -2500', 'reversal 2500'])
  expect(await history()).toMatchObject({ totalCommissionPaid: 0, totalCommissionOutstanding: 2_500, membersUnpaid: 1 })
  expect(repeats()).toMatchObject({ commissionPaid: 0 })
  const audited = world.ctx.sqlite
    .prepare(`select action, targetId from audit_entries where action like 'commission%' order by id`)
    .all()
  expect(audited).toEqual([
    { action: 'commission.paid', targetId: id },
    { action: 'commission.unpaid', targetId: id },
  ])
})

test('refunds claw back in proportion, each as its own line, in parts that add up', async () => {
  const id = await join()
  await refund(10_001)
  await refund(9_999)
  expect(lineWords()).toEqual(['invoice 2500', 'clawback -833', 'clawback -834'])
  await world.advance(15)
  await setPaid(id, true, month[0])
  expect((await payments())[0]?.monthlyPayments.at(-1)).toMatchObject({
    membershipAmount: 8_333,
    commissionAmount: 833,
    commissionPaid: true,
    clawback: { takenBack: -1_667, outstanding: 0 },
  })
  await refund()
  expect(lineWords().at(-1)).toBe('clawback -833')
  expect(await history()).toMatchObject({ totalCommissionPaid: 833, totalCommissionOutstanding: -833 })
  expect((await payments())[0]?.monthlyPayments.at(-1)).toMatchObject({
    commissionAmount: 0,
    commissionPaid: false,
    clawback: { takenBack: -2_500, outstanding: -833 },
  })
  expect((await setPaid(id, true, month[0])).status).toBe(200)
  expect(await history()).toMatchObject({ totalCommissionPaid: 0, totalCommissionOutstanding: 0 })
  expect((await payments())[0]?.monthlyPayments.at(-1)).toMatchObject({ commissionPaid: true })
})

test('MRR-3 CALLS-37 EMSG-27 a month that is deleted is reversed line by line, once; what is refunded later claws nothing back', async () => {
  const id = await join()
  await world.advance(15)
  await setPaid(id, true, month[0])
  const row = (await payments())[0]?.monthlyPayments.at(-1)?.id
  const remove = () => owner(`/api/admin/commission-payments/${row}`, { method: 'DELETE' })
  for (let again = 0; again < 2; again += 1) expect((await remove()).status).toBe(200)
  expect(lineWords()).toEqual(['invoice 2500', 'payment -2500', 'reversal -2500'])
  expect((await payments())[0]?.monthlyPayments).toEqual([])
  expect(await history()).toMatchObject({ totalCommissionPaid: 2_500, totalCommissionOutstanding: -2_500 })
  const deleted = world.ctx.sqlite.prepare(`select targetId from audit_entries where action = 'commission.deleted'`)
  expect(deleted.all()).toEqual([{ targetId: id }])
  await refund()
  expect(lineWords().at(-1)).toBe('clawback 0')
  expect(await readError(await setPaid(id, true, month[0]))).toMatchObject({ message: 'No commission for this month.' })
  expect(await readError(await owner('/api/admin/commission-payments/nothing', { method: 'DELETE' }))).toMatchObject({
    status: 404,
    message: 'We can’t find this commission payment.',
  })
})

test('MRR-3 CALLS-37 what was paid for a deleted month is deducted from the next payments, as far as they reach', async () => {
  const [first, second] = [await join(), await join({ ...sam, email: 'xl@example.com', tierSlug: 'lite' })]
  await world.advance(15)
  await setPaid(first, true, month[0])
  const row = (await payments()).find(({ id }) => id === first)?.monthlyPayments.at(-1)?.id
  await owner(`/api/admin/commission-payments/${row}`, { method: 'DELETE' })
  await setPaid(second, true, month[0])
  expect(lineWords().slice(-2)).toEqual(['payment -1250', 'payment 1250'])
  await setPaid(second, false, month[0])
  expect(await history()).toMatchObject({ totalCommissionPaid: 2_500, totalCommissionOutstanding: -1_250 })
  await setPaid(second, true, month[0])
  const sale = { description: 'Van wrap', totalAmount: 200, commissionAmount: 20, saleDate: today }
  const { id } = Object(await (await owner('/api/admin/manual-commissions', { body: sale })).json())
  await owner(`/api/admin/manual-commissions/${id}`, { method: 'PATCH', body: { commissionPaid: true } })
  expect(lineWords().slice(-2)).toEqual(['payment -2000', 'payment 1250'])
  expect(await history()).toMatchObject({ totalCommissionPaid: 3_250, totalCommissionOutstanding: 0 })
})

test('MRR-3 a reversal stands on the statement of its line’s month, or where that is closed, of the first open one', async () => {
  const id = await join()
  await world.sandbox.advance(new Date(startOfMonth(month[2]).getTime() + 4 * 86_400_000))
  await world.sandbox.settle()
  const remove = async (paymentMonth: string) => {
    const row = (await payments())[0]?.monthlyPayments.find((one) => one.paymentMonth === paymentMonth)?.id
    expect((await owner(`/api/admin/commission-payments/${row}`, { method: 'DELETE' })).status).toBe(200)
  }
  await setPaid(id, true, month[0])
  await remove(month[0])
  expect(await sumsOf(month[0])).toMatchObject({ earned: 2_500, reversals: -2_500, payments: 0, closing: 0 })
  expect(await sumsOf(month[1])).toMatchObject({ opening: 0, earned: 2_500, reversals: 0, closing: 2_500 })
  await runJob(world.ctx, 'month-end')
  const closed = await statement(month[1])
  await remove(month[1])
  expect([closed.isFrozen, await statement(month[1])]).toEqual([true, closed])
  expect(await sumsOf(month[2])).toMatchObject({ opening: 2_500, reversals: -2_500, payments: -2_500 })
})

test('CALLS-13 ENT-20 a former member who has paid is listed as inactive, with their months', async () => {
  const id = await join()
  expect(await get(InactiveMemberList, '/api/admin/inactive-members')).toEqual([])
  world.ctx.sqlite.exec(`update users set accessOverride = 'revoked' where id = '${id}'`)
  world.addMember({ subscription: { status: 'canceled' } })
  expect(await get(InactiveMemberList, '/api/admin/inactive-members')).toEqual([
    {
      id,
      firstName: 'Sam',
      lastName: 'Field',
      email: sam.email,
      commissionPayments: [
        { paymentMonth: month[0], membershipAmount: 25_000, commissionAmount: 2_500, commissionPaid: false },
      ],
    },
  ])
})

test('inactive members say how many they are, whatever the page, and are found by name', async () => {
  for (const lastName of ['Adams', 'Baker', 'Clark']) {
    const person = world.addMember({ lastName, subscription: { status: 'canceled' } })
    addPaidMonth(world, person, today)
  }
  const read = async (query: string) => {
    const response = await owner(`/api/admin/inactive-members?${query}`)
    const names = v.parse(InactiveMemberList, await response.json()).map(({ lastName }) => lastName)
    return { names, total: response.headers.get('x-total-count'), hasMore: response.headers.has('link') }
  }
  expect(await read('limit=2&sort=-name')).toEqual({ names: ['Clark', 'Baker'], total: '3', hasMore: true })
  expect(await read('q=bak')).toEqual({ names: ['Baker'], total: '1', hasMore: false })
})

test('the list of payments can show only those with an unpaid month', async () => {
  const id = await join()
  await world.advance(15)
  const shown = async () =>
    (await get(MemberPaymentsList, '/api/admin/member-payments?show=unpaid')).map((row) => row.id)
  expect(await shown()).toEqual([id])
  await setPaid(id, true, month[0])
  expect([await shown(), (await payments()).length]).toEqual([[], 1])
  expect((await owner('/api/admin/member-payments?show=paid')).status).toBe(422)
})

test('a statement opens with what the one before ended with, its month closed or not', { tags: ['full'] }, async () => {
  const id = await join()
  await world.sandbox.advance(new Date(startOfMonth(month[1]).getTime() + 20 * 86_400_000))
  await world.sandbox.settle()
  await setPaid(id, true, month[0])
  const nought = { opening: 0, earned: 0, clawBacks: 0, upSells: 0, reversals: 0, payments: 0, closing: 0 }
  const check = async () => {
    const [first, second, third] = [await sumsOf(month[0]), await sumsOf(month[1]), await sumsOf(month[2])]
    expect(first).toEqual({ ...nought, earned: 2_500, closing: 2_500 })
    expect(second).toMatchObject({ opening: 2_500, payments: -2_500, closing: second.earned })
    expect(third).toEqual({ ...nought, opening: second.closing, closing: second.closing })
  }
  await check()
  await runJob(world.ctx, 'month-end')
  await check()
  expect((await statement(month[0])).isFrozen).toBe(true)
})

test('the claw-back of a refund that fails later is reversed', async () => {
  await join()
  await refund(6_000)
  const { ctx } = world
  ctx.sqlite.exec(`update provider_refunds set status = 'failed'`)
  const customer = ctx.sqlite.prepare<[], { id: string; userId: string }>('select id, userId from customers').get()
  if (customer === undefined) throw new Error('Nobody has joined.')
  for (let again = 0; again < 2; again += 1) transact(ctx, () => writeLedger(ctx, customer))
  expect(lineWords()).toEqual(['invoice 2500', 'clawback -500', 'reversal 500'])
  expect((await payments())[0]?.monthlyPayments.at(-1)).toMatchObject({
    membershipAmount: 25_000,
    commissionAmount: 2_500,
  })
})

test('what comes late for a closed month goes on the statement of the open one, and its VAT beside it', async () => {
  await join()
  await world.control('settings', { webhooks: { hold: true } })
  await join({ ...sam, email: 'late@example.com', tierSlug: 'xl' })
  await world.sandbox.advance(new Date(startOfMonth(month[1]).getTime() + 4 * 86_400_000))
  closeMonths(world.ctx)
  const closed = await statement(month[0])
  await world.control('settings', { webhooks: { hold: false } })
  await world.control('webhooks/release')
  await world.sandbox.settle()
  expect(await statement(month[0])).toEqual(closed)
  const late = await statement(month[1])
  expect(late).toMatchObject({ opening: 2_500, earned: 4_500, closing: 7_000 })
  expect(late.lines.map(({ paymentMonth, amount }) => [paymentMonth, amount])).toEqual([[month[0], 4_500]])
  const [ended, open] = await get(RevenueMonthList, '/api/admin/revenue-months')
  const nought = { net: 0, vat: 0, gross: 0 }
  expect(ended?.vat).toMatchObject({ invoiced: { net: 25_000, vat: 5_000, gross: 30_000 }, late: nought })
  expect(open?.vat).toMatchObject({ invoiced: nought, late: { net: 45_000, vat: 9_000, gross: 54_000 } })
})

test('CALLS-14 CALLS-36 what is left of a removed member is in the list by the customer’s id, and is paid by it', async () => {
  const id = await join()
  const [customer] = world.ctx.sqlite.prepare<[], string>('select id from customers').pluck().all()
  await world.advance(15)
  world.ctx.sqlite.prepare('delete from users where id = ?').run(id)
  expect(await payments()).toMatchObject([
    { id: customer, firstName: 'Removed', lastName: 'member', email: '', monthlyPayments: [{ commissionPaid: false }] },
  ])
  expect((await setPaid(customer ?? '', true, month[0])).status).toBe(200)
  expect(lineWords()).toEqual(['invoice 2500', 'payment -2500'])
  expect((await payments())[0]?.monthlyPayments).toMatchObject([{ commissionPaid: true, commissionAmount: 2_500 }])
  const audited = world.ctx.sqlite.prepare(`select targetId from audit_entries where action = 'commission.paid'`).get()
  expect(audited).toEqual({ targetId: customer })
})

test('CALLS-14 pages go over members and what is left of removed ones', { tags: ['full'] }, async () => {
  const [first, second, third] = [
    await join(),
    await join({ ...sam, email: 'kim@example.com' }),
    await join({ ...sam, email: 'lee@example.com' }),
  ]
  const customer = world.ctx.sqlite.prepare<[string], string>('select id from customers where userId = ?').pluck()
  const removed = customer.get(second) ?? ''
  world.ctx.sqlite.prepare('delete from users where id = ?').run(second)
  const ids: string[] = []
  let path: string | undefined = '/api/admin/member-payments?limit=1'
  while (path !== undefined) {
    const response: Response = await owner(path)
    ids.push(...v.parse(MemberPaymentsList, await response.json()).map(({ id }) => id))
    path = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  expect(ids).toEqual([first, removed, third].sort())
})

test('CALLS-14 payments are searched by name and sorted, and a page says how many there are in all', async () => {
  for (const [lastName, email] of [
    ['Shah', 'a@example.com'],
    ['Byrne', 'b@example.com'],
    ['Ámos', 'c@example.com'],
  ] as const)
    addPaidMonth(world, world.addMember({ firstName: 'Kim', lastName, email }), today)
  const read = async (query: string) => {
    const response = await owner(`/api/admin/member-payments?${query}`)
    const names = v.parse(MemberPaymentsList, await response.json()).map(({ lastName }) => lastName)
    return [names, response.headers.get('x-total-count')]
  }
  expect(await read('sort=name&limit=2')).toEqual([['Ámos', 'Byrne'], '3'])
  expect(await read('sort=-name&limit=1')).toEqual([['Shah'], '3'])
  expect(await read('q=kim+amos')).toEqual([['Ámos'], '1'])
})

test('CALLS-15 neither an owner nor a member without a month counts as a member', async () => {
  const id = await join()
  const kim = await join({ ...sam, email: 'kim@example.com' })
  const lee = await join({ ...sam, email: 'lee@example.com' })
  expect(await history()).toMatchObject({ totalMembers: 3, membersUnpaid: 3 })
  const row = (await payments()).find((member) => member.id === kim)?.monthlyPayments[0]?.id
  expect((await owner(`/api/admin/commission-payments/${row}`, { method: 'DELETE' })).status).toBe(200)
  world.ctx.sqlite
    .prepare(`insert into owner_addresses (role, email, userId, recordedAt) values ('owner', 'lee@example.com', ?, ?)`)
    .run(lee, today)
  expect(await history()).toEqual({
    totalMembers: 1,
    membersPaid: 0,
    membersUnpaid: 1,
    totalCommissionPaid: 0,
    totalCommissionOutstanding: 5_000,
  })
  expect((await payments()).map(({ id: member }) => member)).toEqual([id, kim].sort())
})

test('a statement as CSV: opening, lines, closing, the same sums', async () => {
  await join()
  await refund(6_000)
  for (const response of [
    await owner(`/api/admin/commission-statements/${month[0]}?format=csv`),
    await owner(`/api/admin/commission-statements/${month[0]}`, { headers: { accept: 'text/csv' } }),
  ]) {
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const rows = (await response.text())
      .trim()
      .split('\r\n')
      .map((row) => row.split(','))
    const amount = rows[0]?.indexOf('amountPence') ?? -1
    expect(rows.slice(1).map((row) => [row[0], row[amount]])).toEqual([
      ['opening', '0'],
      ['invoice', '2500'],
      ['clawback', '-500'],
      ['closing', '2000'],
    ])
  }
})
