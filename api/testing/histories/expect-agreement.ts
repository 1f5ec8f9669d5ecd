import type Stripe from 'stripe'
import * as v from 'valibot'
import { expect } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { onlyCustomer } from '#api/testing/joining.ts'
import type { PaymentWorld } from '#api/testing/payments.ts'
import { readBooks, sum, vatOf } from '#api/testing/year/books.ts'
import { expectEarned } from '#api/testing/year/earned.ts'
import { Mrr, RevenueMonthList } from '#shared/contract/revenue.ts'
import { rows } from './member.ts'

/** What follows from it, once the jobs of a night have run, which find nothing to mend: months, and what was earned. */
export async function expectBooks(world: PaymentWorld): Promise<void> {
  const { report } = { report: null, ...(await runJob(world.ctx, 'reconcile', { all: true })) }
  expect(report, 'the night’s readings').toMatchObject({ failed: 0, mended: 0 })
  const asOwner = world.signIn(world.addOwner())
  const everyones = await readBooks(world)
  const books = { ...everyones, paid: everyones.paid.filter(({ customer }) => customer === onlyCustomer(world)) }
  await expectEarned(world, asOwner, books)
  await runJob(world.ctx, 'month-end')
  const months = v.parse(RevenueMonthList, await (await asOwner('/api/admin/revenue-months?limit=240')).json())
  for (const [at, { month, opening, movements, closing, tiers, vat }] of months.entries()) {
    expect(opening, `${month}: opening`).toBe(months[at - 1]?.closing ?? 0)
    expect(closing, `${month}: closing`).toBe(sum([opening, ...Object.values(movements)]))
    expect(sum(tiers.map(({ monthlyRevenue }) => monthlyRevenue)), `${month}: tiers`).toBe(closing)
    const { invoiced, credited } = vatOf(books, month)
    expect(vat, `${month}: VAT`).toMatchObject({ invoiced, credited })
  }
  const { totalMRR } = v.parse(Mrr, await (await asOwner('/api/admin/mrr')).json())
  expect(months.at(-1)?.closing ?? 0, 'MRR').toBe(totalMRR)
}

/** Reads everything in the sandbox through the SDK, and expects our rows to agree. */
export async function expectAgreement(world: PaymentWorld): Promise<void> {
  const provider = await readProvider(world)
  expectSameSubscriptions(world, provider)
  expectSameInvoices(world, provider)
  expectLegalDocuments(world, provider)
  expectSameLedger(world, provider)
  await expectSameRevenue(world, provider)
  expectMails(world, provider)
}

type ProviderObjects = { subscriptions: Stripe.Subscription[]; invoices: Stripe.Invoice[]; charges: Stripe.Charge[] }

async function readProvider(world: PaymentWorld): Promise<ProviderObjects> {
  const { stripe } = world.ctx
  const customer = onlyCustomer(world)
  const all = { limit: 1000 }
  return {
    subscriptions: await stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray(all),
    invoices: await stripe.invoices.list({ customer, limit: 100, expand: ['data.payments'] }).autoPagingToArray(all),
    charges: await stripe.charges.list({ customer, limit: 100, expand: ['data.refunds'] }).autoPagingToArray(all),
  }
}

/** A member who has paid and is in a trial has only had the next payment put off. */
function statusOf({ id, status }: Stripe.Subscription, invoices: Stripe.Invoice[]) {
  const hasPaid = invoices.some(
    ({ parent, amount_paid: paid }) => paid > 0 && parent?.subscription_details?.subscription === id,
  )
  return status === 'trialing' && hasPaid ? 'active' : status
}

function expectSameSubscriptions(world: PaymentWorld, { subscriptions, invoices }: ProviderObjects): void {
  expect(rows(world, 'select id, status, cancelAtPeriodEnd from subscriptions order by id')).toEqual(
    subscriptions
      .map((one) => ({
        id: one.id,
        status: statusOf(one, invoices),
        cancelAtPeriodEnd: one.cancel_at_period_end ? 1 : 0,
      }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  )
  const isLive = ({ status }: Stripe.Subscription) => status !== 'canceled' && status !== 'incomplete_expired'
  expect(subscriptions.filter(isLive).length, 'live memberships').toBeLessThanOrEqual(1)
}

function expectSameInvoices(world: PaymentWorld, { invoices }: ProviderObjects): void {
  expect(rows(world, 'select id, status, total, amountPaid from provider_invoices order by id')).toEqual(
    invoices
      .map(({ id, status, total, amount_paid: amountPaid }) => ({ id, status, total, amountPaid }))
      .sort((one, other) => ((one.id ?? '') < (other.id ?? '') ? -1 : 1)),
  )
}

/** Counts active and past due, at their price for a year excluding VAT: a month's counts twelve times. Put off, it counts too. */
async function expectSameRevenue(world: PaymentWorld, { subscriptions, invoices }: ProviderObjects): Promise<void> {
  const counted = subscriptions.filter((one) => ['active', 'past_due'].includes(statusOf(one, invoices)))
  const yearly = counted.reduce(
    (sum, { items }) => sum + (items.data[0]?.price.unit_amount ?? 0) * timesAYear(items),
    0,
  )
  const asOwner = world.signIn(world.addOwner())
  const { totalMRR } = v.parse(Mrr, await (await asOwner('/api/admin/mrr')).json())
  expect(totalMRR, 'MRR').toBe(Math.round(yearly / 12))
  const query = 'select sum("afterYearly" - "beforeYearly") as sum from revenue_changes'
  expect(rows<{ sum: number | null }>(world, query)[0]?.sum ?? 0, 'all movements').toBe(yearly)
}

/** One VAT invoice per payment for its full amount, credit notes for refunds, and numbers without gaps. */
function expectLegalDocuments(world: PaymentWorld, { invoices, charges }: ProviderObjects): void {
  const paid = invoices.filter(({ amount_paid: amount }) => amount > 0)
  const issued = rows<{ gross: number; vat: number; sequence: number }>(
    world,
    'select gross, vat, sequence from invoices where replacesId is null order by sequence',
  )
  expect(issued.map(({ gross, vat }) => `${gross}, VAT ${vat}`).sort(), 'invoices').toEqual(
    paid.map(({ amount_paid, total, total_excluding_tax: net }) => `${amount_paid}, VAT ${total - (net ?? 0)}`).sort(),
  )
  expect(issued.map(({ sequence }) => sequence)).toEqual(issued.map((_row, index) => index + 1))
  const refunded = charges.reduce((sum, { amount_refunded: amount }) => sum + amount, 0)
  const [credited] = rows<{ gross: number | null }>(world, 'select sum(gross) as gross from credit_notes')
  expect(credited?.gross ?? 0, 'credit notes').toBe(refunded)
}

function expectSameLedger(world: PaymentWorld, { invoices, charges }: ProviderObjects): void {
  const due = invoices
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
  expect(ledger?.lines, 'lines of the ledger').toBe(due.length)
  expect(ledger?.sum ?? 0, 'due to the partner').toBe(due.reduce((sum, amount) => sum + amount, 0))
}

/** A receipt per payment, an email per refund, a welcome per live membership. No duplicates, and no wrong ones. */
function expectMails(world: PaymentWorld, { subscriptions, invoices, charges }: ProviderObjects): void {
  const causes = world.ctx.sqlite
    .prepare<[], { cause: string }>('select cause from mail_outbox')
    .all()
    .map(({ cause }) => cause.split(':'))
  const mailed = (...kinds: string[]) =>
    causes.flatMap(([kind = '', of = '']) => (kinds.includes(kind) ? [of] : [])).sort()
  const paid = invoices.filter(({ amount_paid: amount }) => amount > 0)
  expect(mailed('receipt').length, 'receipts').toBe(paid.length)
  const refunds = charges.flatMap((charge) => charge.refunds?.data ?? [])
  expect(mailed('refund'), 'mails about refunds').toEqual(refunds.map(({ id }) => id).sort())
  const welcomes = mailed('welcome', 'reactivated', 'set-up')
  expect(welcomes, 'a welcome for each live membership').toEqual(
    expect.arrayContaining(idsOf(subscriptions, ['active'])),
  )
  expect(new Set(welcomes).size, 'one welcome for each membership').toBe(welcomes.length)
  expect(idsOf(subscriptions, ['canceled']), 'ends').toEqual(expect.arrayContaining(mailed('ended')))
  const renewals = invoices.filter(({ billing_reason: reason }) => reason === 'subscription_cycle')
  expect(
    renewals.map(({ id }) => id),
    'failed payments',
  ).toEqual(expect.arrayContaining(mailed('payment-failed')))
  for (const subscription of subscriptions) expectAlternating(causes, subscription)
}

const timesAYear = ({ data }: Stripe.Subscription['items']) => (data[0]?.price.recurring?.interval === 'year' ? 1 : 12)

const idsOf = (subscriptions: Stripe.Subscription[], statuses: Stripe.Subscription.Status[]) =>
  subscriptions.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)

/** Emails about cancelling and undoing it alternate, and the last one is right. */
function expectAlternating(causes: readonly string[][], { id, status, cancel_at: endsAt }: Stripe.Subscription): void {
  const kinds = causes
    .filter(([kind, of]) => of === id && (kind === 'ending' || kind === 'resumed'))
    .sort(([, , one], [, , other]) => Number(one) - Number(other))
    .map(([kind]) => kind)
  expect(kinds, 'alternating').toEqual(kinds.map((_kind, index) => (index % 2 === 0 ? 'ending' : 'resumed')))
  if (status !== 'active' && status !== 'past_due') return
  expect(kinds.at(-1) === 'ending', 'the last mail about the end').toBe(endsAt !== null)
}
