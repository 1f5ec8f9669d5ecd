import { expect, test } from 'vitest'
import { readMembersSearch } from './search.ts'

test('MEMB-03 the address names the tab; the dashboard and anything unknown need no name', () => {
  expect(readMembersSearch({ tab: 'billing' })).toEqual({ tab: 'billing' })
  expect(readMembersSearch({ tab: 'dashboard' })).toEqual({})
  expect(readMembersSearch({ tab: 'invoices', x: 1 })).toEqual({})
})

test('MEMB-01 what the payment provider adds is read, and only with a payment', () => {
  expect(readMembersSearch({ payment_intent: 'pi_1', redirect_status: 'failed', other: 'x' })).toEqual({
    payment_intent: 'pi_1',
    redirect_status: 'failed',
  })
  expect(readMembersSearch({ redirect_status: 'failed', payment_intent: '' })).toEqual({})
})

test('back from the bank for Billing, it is not the return of a first payment', () => {
  const address = { tab: 'billing', errand: 'pay', payment_intent: 'pi_1', redirect_status: 'failed' }
  expect(readMembersSearch(address)).toEqual({ tab: 'billing', errand: 'pay', redirect_status: 'failed' })
  expect(readMembersSearch({ tab: 'billing', errand: 'other' })).toEqual({ tab: 'billing' })
  expect(readMembersSearch({ errand: 'pay' })).toEqual({})
})
