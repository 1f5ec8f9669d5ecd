import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { billingOf, providerSubscriptions } from '#api/testing/joining.ts'
import { auditedOf, joinAsSam, readRecord } from '#api/testing/member-records.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { PaymentRefund } from '#shared/contract/member-record.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const join = () => joinAsSam(world, owner)
const recordOf = (who: string) => readRecord(owner, who)
const send = (path: string, method: string, body?: object) =>
  owner(path, { method, ...(body === undefined ? {} : { body }) })
const audited = (id: string) => auditedOf(world, id)

test('a part goes back once however often it is sent; access stays, and never more than was paid', async () => {
  const { call, id, at } = await join()
  const paymentId = (await recordOf(id)).payments[0]?.paymentId ?? ''
  const wish = { id: world.ctx.newId(), paymentId, amount: 5_000, reason: 'The call was late' }
  const refund = (more: object = {}) => send(`${at}/refund`, 'POST', { ...wish, ...more })
  // It never reached the provider, so the log doesn't have it.
  await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/refunds', times: 6 })
  expect([(await refund()).status, audited(id)]).toEqual([502, []])
  // No answer isn't a refusal: we look, and find it there.
  await world.control('faults', { kind: 'error_after', method: 'POST', path: '/v1/refunds' })
  expect([(await refund()).status, (await refund()).status]).toEqual([200, 200])
  expect(v.parse(PaymentRefund, await (await refund()).json())).toEqual({ refunded: 5_000, left: 25_000 })
  const credits = (await recordOf(id)).payments[0]?.credit_notes
  expect(credits?.map(({ total }) => total)).toEqual([5_000])
  const tooMuch = await readError(await refund({ id: world.ctx.newId(), amount: 25_001 }))
  expect(tooMuch.fields).toEqual({ amount: 'You can refund up to £250.00 of this payment.' })
  expect((await readError(await refund({ reason: ' ' }))).fields).toEqual({ reason: 'Reason is required' })
  for (const [sent, field] of [
    // An amount on its own never counts as a full refund.
    [{ amount: 100 }, 'amount'],
    [{ amount: '50', reason: 'Asked' }, 'amount'],
    [{ id: wish.id, amount: 100, reason: 'Asked', endsMembership: true }, 'id'],
    [{ paymentId: null, reason: 'Asked' }, 'paymentId'],
    [{ paymentId, reason: 'Asked' }, 'amount'],
    [{ ...wish, id: world.ctx.newId(), amount: 0 }, 'amount'],
    [{ amuont: 100 }, 'amuont'],
  ] as const) {
    const refused = await readError(await send(`${at}/refund`, 'POST', sent))
    expect([refused.status, Object.keys(refused.fields ?? {})]).toEqual([422, expect.arrayContaining([field])])
  }
  expect((await readError(await refund({ amount: '50' }))).fields).toEqual({
    amount: 'Amount must be a number of pence, such as 5000',
  })
  expect((await billingOf(call)).hasAccess).toBe(true)
  const whole = await refund({ id: world.ctx.newId(), amount: 25_000, endsMembership: true })
  expect(v.parse(PaymentRefund, await whole.json())).toEqual({ refunded: 30_000, left: 0 })
  const again = await readError(await refund({ id: world.ctx.newId(), amount: 100 }))
  expect(again).toMatchObject({ status: 409, message: 'This payment is already fully refunded.' })
  expect([await providerSubscriptions(world), (await billingOf(call)).hasAccess]).toEqual([['canceled'], false])
  expect(audited(id).map(({ action }) => action)).toEqual(['member.refund', 'member.refund'])
})

test('six requests for one refund are one refund at Stripe, and so are six under the guarantee', {
  tags: ['full'],
}, async () => {
  const { id, at } = await join()
  const paymentId = (await recordOf(id)).payments[0]?.paymentId ?? ''
  const wish = { id: world.ctx.newId(), paymentId, amount: 5_000, reason: 'The call was late' }
  const sixFold = (body: object) => Promise.all(Array.from({ length: 6 }, () => send(`${at}/refund`, 'POST', body)))
  const amounts = async () => (await world.ctx.stripe.refunds.list({})).data.map(({ amount }) => amount)
  expect((await sixFold(wish)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  expect(await amounts()).toEqual([5_000])
  for (const { status } of await sixFold({ reason: 'Not for them' })) expect([200, 409]).toContain(status)
  expect((await amounts()).toSorted((one, other) => one - other)).toEqual([5_000, 25_000])
  expect((await recordOf(id)).payments[0]?.refundable).toBe(0)
})

test('a refund that the provider refuses says why', async () => {
  const { id, at } = await join()
  const paymentId = (await recordOf(id)).payments[0]?.paymentId ?? ''
  const wish = { id: world.ctx.newId(), paymentId, amount: 5_000, reason: 'The call was late' }
  for (const [code, says] of [
    ['charge_disputed', 'The payer has disputed this payment'],
    ['balance_insufficient', 'Your Stripe balance is too low'],
  ]) {
    await world.control('faults', { kind: 'refuse', code, method: 'POST', path: '/v1/refunds' })
    expect((await readError(await send(`${at}/refund`, 'POST', wish))).message).toContain(says)
  }
})

test('nobody’s payment goes back by another member’s page', async () => {
  const { id } = await join()
  const paymentId = (await recordOf(id)).payments[0]?.paymentId ?? ''
  const other = world.addMember()
  const wish = { id: world.ctx.newId(), paymentId, amount: 1, reason: 'Wrong page' }
  expect((await send(`/api/admin/members/${other.id}/refund`, 'POST', wish)).status).toBe(404)
  expect((await world.ctx.stripe.refunds.list({})).data).toEqual([])
})
