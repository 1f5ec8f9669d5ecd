import '#pwa/testing/window.ts'
import { beforeEach, expect, test } from 'vitest'
import {
  keepDetails,
  keepOrder,
  leavePayment,
  noDetails,
  type OrderDetails,
  prepareOrder,
  readDetails,
  readPayable,
  renewOrder,
  settleOrder,
} from './checkout-draft.ts'
import { toOrder } from './order-request.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

const sam: OrderDetails = {
  ...noDetails,
  firstName: 'Sam',
  lastName: 'Field',
  email: 'sam@example.com',
  agreeToTerms: true,
}

function wanted(details: OrderDetails, which: 'professional' | 'master' = 'master') {
  const order = toOrder(details, which)
  if (!order.success) throw new Error(order.issues[0].message)
  return order.output
}

const orderId = '01a1f9bd-274d-73e9-bbaf-3e9f030f277d'

test('two tabs that send the same send it under one key', () => {
  keepDetails(sam)
  const first = prepareOrder(wanted(sam))
  expect(prepareOrder(wanted(sam))).toEqual(first)
  keepOrder({ orderId, total: 90_000 })
  leavePayment()
  expect(prepareOrder(wanted(sam))).toEqual(first)
})

test('other details are another order, which takes the place of the first, also after its answer was lost', () => {
  const first = prepareOrder(wanted(sam))
  keepOrder({ orderId, total: 90_000 })
  const other = prepareOrder(wanted({ ...sam, phone: '1' }))
  expect(other.key).not.toBe(first.key)
  expect(other.body.replaces).toBe(orderId)
  expect(prepareOrder(wanted({ ...sam, phone: '1' }))).toEqual(other)
  expect(prepareOrder(wanted(sam, 'professional')).body.replaces).toBe(orderId)
})

test('an order that has ended is left behind, but never one that another tab has begun since', () => {
  const first = prepareOrder(wanted(sam))
  keepOrder({ orderId, total: 90_000 })
  const other = prepareOrder(wanted(sam, 'professional'))
  renewOrder(first.key)
  expect(prepareOrder(wanted(sam, 'professional'))).toEqual(other)
  renewOrder(other.key)
  const renewed = prepareOrder(wanted(sam, 'professional'))
  expect([renewed.key === other.key, renewed.body.replaces]).toEqual([false, undefined])
})

test('the payment goes on for the package that was ordered, and is over once it is paid', () => {
  keepDetails(sam)
  const request = prepareOrder(wanted(sam))
  expect(readPayable('master')).toBeNull()
  keepOrder({ orderId, total: 90_000 })
  expect([readPayable('master'), readPayable('professional')]).toEqual([request, null])
  expect(settleOrder({ orderId: request.key })).toBeNull()
  expect(readDetails()).toEqual(sam)
  expect([settleOrder({ orderId }), settleOrder({ orderId })]).toEqual([90_000, null])
  expect([readPayable('master'), readDetails()]).toEqual([null, noDetails])
})
