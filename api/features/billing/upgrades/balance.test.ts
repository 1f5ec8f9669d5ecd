import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { act, acted } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer } from '#api/testing/joining.ts'
import { issuedInvoices, joinAndPay } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { UpgradePreview } from '#shared/contract/upgrade.ts'

let world: PaymentWorld
beforeEach(async () => {
  // In a month of 28 days, half a month is 14.
  world = await startPaymentWorld({ startsAt: new Date('2027-02-01T10:00:00.000Z') })
})
afterEach(() => world.stop())

/** Halfway through the month, `balance` pence on the customer: a debt, or below nought credit. */
async function halfway(balance: number): Promise<Call> {
  const { call } = await joinAndPay(world)
  await world.advance(14)
  await putOnBalance(balance)
  return call
}

const putOnBalance = (amount: number) =>
  world.ctx.stripe.customers.createBalanceTransaction(onlyCustomer(world), { amount, currency: 'gbp' })

const preview = async (call: Call) =>
  v.parse(UpgradePreview, await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' }))

/** What the card was charged, newest first. */
const charged = async () =>
  (await world.ctx.stripe.charges.list({ customer: onlyCustomer(world) })).data.map(({ amount }) => amount)

test.each([
  { what: 'a debt', balance: 5_000, due: 17_000, fromCredit: 0, next: { due: 54_000, fromCredit: 0 } },
  { what: 'credit for a part', balance: -10_000, due: 2_000, fromCredit: 10_000, next: { due: 54_000, fromCredit: 0 } },
  { what: 'more credit', balance: -40_000, due: 0, fromCredit: 12_000, next: { due: 26_000, fromCredit: 28_000 } },
])('with $what on the balance, what is shown is what is taken, today and next', async ({ balance, ...shown }) => {
  const call = await halfway(balance)
  const { next, ...today } = shown
  const { attemptId, nextBill, ...told } = await preview(call)
  expect(told).toMatchObject({ total: 12_000, due: today.due, fromCredit: today.fromCredit })
  expect(nextBill).toMatchObject({ total: 54_000, ...next })
  expect(await acted(call, '/api/billing/upgrade', { attemptId })).toMatchObject({ status: 'upgraded' })
  const taken = today.due > 0 ? [today.due] : []
  expect(await charged()).toEqual([...taken, 30_000])
  expect((await billingOf(call)).nextPayment).toEqual(nextBill)
  // Credit that's no payment is a discount.
  expect(issuedInvoices(world).map(({ gross }) => gross)).toEqual(
    today.due > 0 ? [30_000, 12_000 - today.fromCredit] : [30_000],
  )
  await world.advance(14)
  expect(await charged()).toEqual([next.due, ...taken, 30_000])
})

test('is not started where the balance has changed since it was shown', { tags: ['full'] }, async () => {
  const call = await halfway(0)
  const { attemptId } = await preview(call)
  await putOnBalance(5_000)
  expect(await readError(await act(call, '/api/billing/upgrade', { attemptId }))).toMatchObject({
    code: 'price_changed',
  })
  expect(await charged()).toEqual([30_000])
})
