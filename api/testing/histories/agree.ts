import type Stripe from 'stripe'
import * as v from 'valibot'
import { expect } from 'vitest'
import { onlyCustomer } from '#api/testing/joining.ts'
import type { PaymentWorld } from '#api/testing/payments.ts'
import { Mrr } from '#shared/contract/admin.ts'
import { expectMails } from './mails.ts'

/** Everything that the sandbox has, read once more by the SDK; from it, what our rows must say. */
export async function expectAgreement(world: PaymentWorld): Promise<void> {
  const truth = await readTruth(world)
  expectSameSubscriptions(world, truth)
  expectSameInvoices(world, truth)
  expectLegalDocuments(world, truth)
  expectSameLedger(world, truth)
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
    invoices: await stripe.invoices.list({ customer, limit: 100, expand: ['data.payments'] }).autoPagingToArray(all),
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

/** A tenth of each payment's net, less the same part of it that went back. */
function expectSameLedger(world: PaymentWorld, { invoices, charges }: Truth): void {
  const owed = invoices
    .filter(({ amount_paid: amount }) => amount > 0)
    .map((invoice) => {
      const net = invoice.total_excluding_tax ?? 0
      const intents = (invoice.payments?.data ?? []).map(({ payment }) => payment.payment_intent)
      const refunded = charges
        .filter(({ payment_intent: intent }) => intents.includes(intent ?? ''))
        .reduce((sum, { amount_refunded: amount }) => sum + amount, 0)
      const refundedNet = refunded - Math.floor(((invoice.total - net) * refunded) / invoice.total + 0.5)
      const commission = Math.floor(net / 10 + 0.5)
      return commission - Math.floor((commission * refundedNet) / net + 0.5)
    })
  const [ledger] = rows<{ sum: number | null; lines: number }>(
    world,
    `select sum(amount) as sum, count(iif(kind = 'invoice', 1, null)) as lines from commission_ledger`,
  )
  expect(ledger?.lines, 'lines of the ledger').toBe(owed.length)
  expect(ledger?.sum ?? 0, 'owed to the partner').toBe(owed.reduce((sum, amount) => sum + amount, 0))
}
