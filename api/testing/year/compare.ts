import * as v from 'valibot'
import { expect } from 'vitest'
import { CommissionStatement } from '#shared/contract/commission.ts'
import { RevenueMonthList } from '#shared/contract/revenue.ts'
import type { PaymentWorld } from '../payments.ts'
import { type Books, commissionOf, recurringRevenue, vatOf } from './books.ts'

/** The month that has just been frozen, beside the independent sums over the sandbox's own objects. */
export async function expectFrozen(world: PaymentWorld, month: string, books: Books): Promise<void> {
  const asOwner = world.signIn(world.addOwner())
  const answer = await asOwner('/api/admin/revenue-months?limit=24')
  const frozen = v.parse(RevenueMonthList, await answer.json()).find((one) => one.month === month)
  // The list begins with the first month that has anything in it.
  if (frozen === undefined && books.paid.length === 0) return
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
  await expectStatement(world, month, books)
}

/** The partner's account: what was paid in the month earns, what was refunded in it is clawed back. */
async function expectStatement(world: PaymentWorld, month: string, books: Books): Promise<void> {
  const asOwner = world.signIn(world.addOwner())
  const answer = await asOwner(`/api/admin/commission-statements/${month}`)
  const statement = v.parse(CommissionStatement, await answer.json())
  const { earned, clawedBack } = commissionOf(books, month)
  expect(statement.earned, `${month}: earned`).toBe(earned)
  expect(statement.clawBacks, `${month}: clawed back`).toBe(0 - clawedBack)
  const { opening, clawBacks, upSells, reversals, payments } = statement
  expect(statement.closing, `${month}: the account`).toBe(
    opening + statement.earned + clawBacks + upSells + reversals + payments,
  )
}
