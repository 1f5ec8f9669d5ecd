import * as v from 'valibot'
import { expect } from 'vitest'
import { RevenueMonthList } from '#shared/contract/revenue.ts'
import type { PaymentWorld } from '../payments.ts'
import { type Books, recurringRevenue, vatOf } from './books.ts'

/** The month that has just been frozen, beside the independent sums over the sandbox's own objects. */
export async function expectFrozen(world: PaymentWorld, month: string, books: Books): Promise<void> {
  const asOwner = world.signIn(world.addOwner())
  const answer = await asOwner('/api/admin/revenue-months?limit=24')
  const frozen = v.parse(RevenueMonthList, await answer.json()).find((one) => one.month === month)
  expect(frozen?.isFrozen, month).toBe(true)
  if (frozen === undefined) return
  const moved = Object.values(frozen.movements).reduce((sum, amount) => sum + amount, frozen.opening)
  expect(frozen.closing, `${month}: opening and movements`).toBe(moved)
  expect(frozen.closing, `${month}: monthly recurring revenue`).toBe(recurringRevenue(books))
  const vat = vatOf(books, month)
  expect(frozen.vat.invoiced, `${month}: invoiced`).toEqual({
    net: vat.invoicedNet,
    vat: vat.invoicedVat,
    gross: vat.invoicedGross,
  })
  expect(frozen.vat.credited, `${month}: credited`).toEqual({
    net: vat.creditedNet,
    vat: vat.creditedVat,
    gross: vat.creditedGross,
  })
}
