import '#pwa/testing/window.ts'
import { beforeEach, expect, test } from 'vitest'
import {
  emptyDetails,
  leavePayment,
  type OrderDetails,
  prepareOrder,
  readDetails,
  readPendingOrder,
  removePaidOrder,
  renewKey,
  saveDetails,
  saveOrder,
} from './checkout-storage.ts'
import { toOrder } from './queries.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

const sam: OrderDetails = {
  ...emptyDetails,
  firstName: 'Sam',
  lastName: 'Field',
  email: 'sam@example.com',
  agreeToTerms: true,
}

function wanted(details: OrderDetails, which: 'professional' | 'master' = 'master') {
  const order = toOrder(details, which, '2026-11-21-0123456789abcdef')
  if (!order.success) throw new Error(order.issues[0].message)
  return order.output
}

const orderId = '01a1f9bd-274d-73e9-bbaf-3e9f030f277d'

test('two tabs that send the same send it under one key', () => {
  saveDetails(sam)
  const first = prepareOrder(wanted(sam))
  expect(prepareOrder(wanted(sam))).toEqual(first)
  saveOrder({ orderId, total: 90_000 })
  leavePayment()
  expect(prepareOrder(wanted(sam))).toEqual(first)
})

test('other details are another order, which takes the place of the first, also after its response was lost', () => {
  const first = prepareOrder(wanted(sam))
  saveOrder({ orderId, total: 90_000 })
  const other = prepareOrder(wanted({ ...sam, phone: '1' }))
  expect(other.key).not.toBe(first.key)
  expect(other.body.replaces).toBe(orderId)
  expect(prepareOrder(wanted({ ...sam, phone: '1' }))).toEqual(other)
  expect(prepareOrder(wanted(sam, 'professional')).body.replaces).toBe(orderId)
})

test('an order that has ended is left behind, but never one that another tab has begun since', () => {
  const first = prepareOrder(wanted(sam))
  saveOrder({ orderId, total: 90_000 })
  const other = prepareOrder(wanted(sam, 'professional'))
  renewKey(first.key)
  expect(prepareOrder(wanted(sam, 'professional'))).toEqual(other)
  renewKey(other.key)
  const renewed = prepareOrder(wanted(sam, 'professional'))
  expect([renewed.key === other.key, renewed.body.replaces]).toEqual([false, undefined])
})

test('the payment resumes for the package that was ordered, and is forgotten once it is paid', () => {
  saveDetails(sam)
  const request = prepareOrder(wanted(sam))
  expect(readPendingOrder('master')).toBeNull()
  saveOrder({ orderId, total: 90_000 })
  expect([readPendingOrder('master'), readPendingOrder('professional')]).toEqual([request, null])
  expect(removePaidOrder({ orderId: request.key })).toBeNull()
  expect(readDetails()).toEqual(sam)
  expect([removePaidOrder({ orderId }), removePaidOrder({ orderId })]).toEqual([90_000, null])
  expect([readPendingOrder('master'), readDetails()]).toEqual([null, emptyDetails])
})
