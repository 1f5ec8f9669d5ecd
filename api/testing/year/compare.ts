import * as v from 'valibot'
import { expect } from 'vitest'
import { CommissionStatement } from '#shared/contract/commission.ts'
import { Mrr, RevenueMonthList } from '#shared/contract/revenue.ts'
import { type Books, recurringRevenue, vatOf } from './books.ts'
import { accountOf } from './partner.ts'
import type { OwnerDecisions, Simulation } from './simulation.ts'

export async function expectRevenueNow({ asOwner }: Simulation, books: Books): Promise<void> {
  const { totalMRR } = v.parse(Mrr, await (await asOwner('/api/admin/mrr')).json())
  expect(totalMRR, 'monthly recurring revenue').toBe(recurringRevenue(books))
}

/** Compares the month that was just closed with independent sums of the sandbox's objects. */
export async function expectClosed({ asOwner, decisions }: Simulation, month: string, books: Books): Promise<void> {
  const response = await asOwner('/api/admin/revenue-months?limit=24')
  const closed = v.parse(RevenueMonthList, await response.json()).find((one) => one.month === month)
  // The list begins with the first month that has any figures.
  if (closed === undefined && books.paid.length === 0) return
  expect(closed?.isFrozen, month).toBe(true)
  if (closed === undefined) return
  const moved = Object.values(closed.movements).reduce((sum, amount) => sum + amount, closed.opening)
  expect(closed.closing, `${month}: opening and movements`).toBe(moved)
  expect(closed.closing, `${month}: monthly recurring revenue`).toBe(recurringRevenue(books))
  const ofTiers = closed.tiers.reduce((sum, { monthlyRevenue }) => sum + monthlyRevenue, 0)
  expect(ofTiers, `${month}: tiers`).toBe(closed.closing)
  expectVat(closed.vat, month, books)
  await expectStatement(asOwner, { decisions, month, books })
}

type Vat = v.InferOutput<typeof RevenueMonthList>[number]['vat']

/**
 * Payments are invoiced, refunds are credited. An invoice corrected for its missing address counts again on both sides, and
 * changes nothing in closed months.
 */
function expectVat({ invoiced, credited, late, total }: Vat, month: string, books: Books): void {
  const expected = vatOf(books, month)
  const again = less(invoiced, expected.invoiced)
  expect(less(credited, expected.credited), `${month}: credited, but for what was put right`).toEqual(again)
  expect(Math.min(...Object.values(again)), `${month}: put right`).toBeGreaterThanOrEqual(0)
  expect(less(total, expected.invoiced), `${month}: VAT in all`).toEqual(less({ net: 0, vat: 0 }, expected.credited))
  expect(late, `${month}: after the event`).toEqual({ net: 0, vat: 0, gross: 0 })
}

type Sums = { net: number; vat: number }
const less = (one: Sums, other: Sums) => ({ net: one.net - other.net, vat: one.vat - other.vat })

type Account = { decisions: OwnerDecisions; month: string; books: Books }

async function expectStatement(asOwner: Simulation['asOwner'], { decisions, month, books }: Account): Promise<void> {
  const response = await asOwner(`/api/admin/commission-statements/${month}`)
  const statement = v.parse(CommissionStatement, await response.json())
  const { opening, earned, clawBacks, upSells, reversals, payments, closing } = statement
  expect({ month, opening, earned, clawBacks, upSells, reversals, payments, closing }).toEqual({
    month,
    ...accountOf(books, decisions, month),
  })
}
