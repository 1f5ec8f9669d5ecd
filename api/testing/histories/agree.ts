import type Stripe from 'stripe'
import * as v from 'valibot'
import { expect } from 'vitest'
import { Mrr } from '#shared/contract/admin.ts'
import { onlyCustomer } from '../joining.ts'
import type { PaymentWorld } from '../payments.ts'
import { expectMails } from './mails.ts'

/** Everything that the sandbox has, read once more by the SDK; from it, what our rows must say. */
export async function expectAgreement(world: PaymentWorld): Promise<void> {
  const truth = await readTruth(world)
  expectSameSubscriptions(world, truth)
  expectSameInvoices(world, truth)
  expectLegalDocuments(world, truth)
  await expectSameRevenue(world, truth)
  expectMails(world, truth)
}

export type Truth = { subscriptions: Stripe.Subscription[]; invoices: Stripe.Invoice[]; charges: Stripe.Charge[] }

async function readTruth(world: PaymentWorld): Promise<Truth> {
  const { stripe } = world.ctx
  const customer = onlyCustomer(world)
  const all = { limit: 1000 }
  return {
    subscriptions: await stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray(all),
    invoices: await stripe.invoices.list({ customer, limit: 100 }).autoPagingToArray(all),
    charges: await stripe.charges.list({ customer, limit: 100, expand: ['data.refunds'] }).autoPagingToArray(all),
  }
}

const rows = <Row>({ ctx }: PaymentWorld, query: string) => ctx.sqlite.prepare<[], Row>(query).all()

function expectSameSubscriptions(world: PaymentWorld, { subscriptions }: Truth): void {
  expect(rows(world, 'select id, status, cancelAtPeriodEnd from subscriptions order by id')).toEqual(
    subscriptions
      .map(({ id, status, cancel_at_period_end: ends }) => ({ id, status, cancelAtPeriodEnd: ends ? 1 : 0 }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  )
  const isLive = ({ status }: Stripe.Subscription) => status !== 'canceled' && status !== 'incomplete_expired'
  expect(subscriptions.filter(isLive).length, 'live memberships').toBeLessThanOrEqual(1)
}

function expectSameInvoices(world: PaymentWorld, { invoices }: Truth): void {
  expect(rows(world, 'select id, status, total, amountPaid from provider_invoices order by id')).toEqual(
    invoices
      .map(({ id, status, total, amount_paid: amountPaid }) => ({ id, status, total, amountPaid }))
      .sort((one, other) => ((one.id ?? '') < (other.id ?? '') ? -1 : 1)),
  )
}

/** Active and past due count, at their price for a month excluding VAT. */
async function expectSameRevenue(world: PaymentWorld, { subscriptions }: Truth): Promise<void> {
  const counted = subscriptions.filter(({ status }) => status === 'active' || status === 'past_due')
  const expected = counted.reduce((sum, { items }) => sum + (items.data[0]?.price.unit_amount ?? 0), 0)
  const asOwner = world.signIn(world.addOwner())
  const { totalMRR } = v.parse(Mrr, await (await asOwner('/api/admin/mrr')).json())
  expect(totalMRR, 'MRR').toBe(expected)
  const [moved] = rows<{ sum: number | null }>(world, 'select sum("after" - "before") as sum from revenue_changes')
  expect(moved?.sum ?? 0, 'all movements').toBe(expected)
}

/** One legal invoice per payment, as large as it; what was refunded has come back by credit notes; numbers without a gap. */
function expectLegalDocuments(world: PaymentWorld, { invoices, charges }: Truth): void {
  const paid = invoices.filter(({ amount_paid: amount }) => amount > 0)
  const issued = rows<{ gross: number; sequence: number }>(
    world,
    'select gross, sequence from invoices where replacesId is null order by sequence',
  )
  expect(issued.map(({ gross }) => gross).sort(), 'invoices').toEqual(paid.map(({ amount_paid }) => amount_paid).sort())
  expect(issued.map(({ sequence }) => sequence)).toEqual(issued.map((_row, index) => index + 1))
  const refunded = charges.reduce((sum, { amount_refunded: amount }) => sum + amount, 0)
  const [credited] = rows<{ gross: number | null }>(world, 'select sum(gross) as gross from credit_notes')
  expect(credited?.gross ?? 0, 'credit notes').toBe(refunded)
}
