import { afterEach, beforeEach, expect, test } from 'vitest'
import { startOfTime } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

const daysAgo = (days: number) => new Date(startOfTime.getTime() - days * 24 * 3_600_000).toISOString()
const run = (sql: string, ...values: unknown[]) => folder.world.ctx.sqlite.prepare(sql).run(...values)

async function findCheck(name: string) {
  const { code, out } = await folder.local('doctor --json')
  const { checks } = JSON.parse(out)
  return { code, ...checks.find((check: { name: string }) => check.name === name) }
}

const addRefund = (id: string, status: string, days: number, amount = 30_000) =>
  run(
    `insert into provider_refunds (id, customerId, providerInvoiceId, amount, status, created)
     select ?, customerId, id, ?, ?, ? from provider_invoices`,
    ...[id, amount, status, daysAgo(days)],
  )

const addPayment = () => {
  folder.world.addMember({ firstName: 'Danny', lastName: 'Marsh' })
  run(
    `insert into provider_invoices (id, customerId, status, billingReason, net, vat, total, amountPaid, created)
     select 'in_1', id, 'paid', 'subscription_cycle', 25000, 5000, 30000, 30000, ? from customers`,
    daysAgo(20),
  )
}

test('two part refunds that failed are not both made good by one; what was refunded before one failed is no repetition', {
  tags: ['full'],
}, async () => {
  addPayment()
  addRefund('re_one', 'failed', 10, 5_000)
  addRefund('re_two', 'failed', 9, 5_000)
  addRefund('re_again', 'succeeded', 5, 5_000)
  run(`update provider_refunds set failedAt = ? where status = 'failed'`, daysAgo(7))
  expect(await findCheck('refunds')).toMatchObject({
    message: expect.stringMatching(/^1 refund didn’t reach the member: £50\.00 of Danny Marsh \(re_two\)/),
  })
  addRefund('re_other', 'succeeded', 8, 5_000)
  expect(await findCheck('refunds')).toMatchObject({ message: expect.stringContaining('1 refund ') })
  addRefund('re_last', 'succeeded', 4, 5_000)
  expect(await findCheck('refunds')).toMatchObject({ state: 'ok' })
})

test('a refund that came back is reported with whose it was, until it is made again or long ago', {
  tags: ['full'],
}, async () => {
  addPayment()
  addRefund('re_held', 'succeeded', 15, 10_000)
  expect(await findCheck('refunds')).toMatchObject({ code: 0, state: 'ok' })
  addRefund('re_lost', 'failed', 10, 20_000)
  const lost = {
    code: 0,
    state: 'warning',
    message: expect.stringMatching(/^1 refund didn’t reach the member: £200\.00 of Danny Marsh \(re_lost\)\. Refund/),
  }
  expect(await findCheck('refunds')).toMatchObject(lost)
  addRefund('re_part', 'succeeded', 5, 5000)
  expect(await findCheck('refunds')).toMatchObject(lost)
  addRefund('re_again', 'pending', 4, 15_000)
  expect(await findCheck('refunds')).toMatchObject({ state: 'ok' })
  run(`update provider_refunds set status = 'canceled' where id = 're_again'`)
  expect(await findCheck('refunds')).toMatchObject({ message: expect.stringContaining('2 refunds') })
  run('update provider_invoices set amountRefunded = 30000')
  expect(await findCheck('refunds')).toMatchObject({ state: 'ok' })
  run('update provider_invoices set amountRefunded = 0')
  run('update provider_refunds set created = ?', daysAgo(61))
  expect(await findCheck('refunds')).toMatchObject({ state: 'ok' })
})

test('somebody who pays for a tier and is nobody here is reported with the command, until they are linked', {
  tags: ['full'],
}, async () => {
  run(
    `insert into audit_entries (id, actor, action, targetId, detail, at)
     values ('one', 'system', 'customer.unknown', 'cus_1Kim', '{}', ?)`,
    daysAgo(0),
  )
  expect(await findCheck('customers')).toMatchObject({
    code: 0,
    state: 'warning',
    fix: 'subscriptions link cus_1Kim EMAIL',
    message: expect.stringContaining('1 customer pays for a tier without an account: cus_1Kim.'),
  })
  run(`insert into customers (id, stripeCustomerId, createdAt) values ('kim', 'cus_1Kim', ?)`, daysAgo(0))
  expect(await findCheck('customers')).toMatchObject({ state: 'ok', fix: null })
})
