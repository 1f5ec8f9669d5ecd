import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Customer } from '#api/db/customers.ts'
import { transact } from '#api/db/open.ts'
import { providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { runReconcileSteps } from '#api/features/reconcile/service.ts'
import { issuedInvoices, issuedNotes, millLane } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { vatOn } from '#shared/rules/money.ts'
import { isRemoved, newestInvoices } from './queries.ts'
import { reissueRemoved, reissueWithAddress } from './reissue-service.ts'

let world: PaymentWorld
beforeAll(async () => {
  world = await startPaymentWorld()
})
afterAll(() => world.stop())

const step = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const), net: fc.integer({ min: 1, max: 90_000 }), isLate: fc.boolean() }),
  fc.record({ kind: fc.constant('refund' as const), payment: fc.nat(5), part: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ kind: fc.constant('fail' as const), payment: fc.nat(5) }),
  fc.record({ kind: fc.constantFrom('address' as const, 'remove' as const, 'fix' as const, 'news' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer Kind> ? Kind : never

/** A member whose payments and refunds are written as a sync would write them. */
function newLife() {
  const { ctx } = world
  const person = world.addMember()
  const customer: Customer = {
    userId: person.id,
    id:
      ctx.sqlite.prepare<[string], { id: string }>('select id from customers where userId = ?').get(person.id)?.id ??
      '',
  }
  return {
    person,
    customer,
    payments: [] as string[],
    call: world.signIn(person),
    owner: world.signIn(world.addOwner()),
  }
}
type Life = ReturnType<typeof newLife>

async function take(life: Life, done: Step): Promise<void> {
  const { customer } = life
  switch (done.kind) {
    case 'pay':
      return pay(life, done.net, done.isLate)
    case 'refund':
      return refund(life, life.payments[done.payment % life.payments.length], done.part)
    case 'fail':
      return failRefund(life.payments[done.payment % life.payments.length])
    case 'address':
      return void (await life.call('/api/billing/address', { method: 'PUT', body: millLane }))
    case 'remove':
      return void (await life.owner('/api/admin/delete-member-invoices', { body: { memberId: life.person.id } }))
    case 'fix':
      reissueWithAddress(world.ctx, customer)
      return void reissueRemoved(world.ctx, customer)
    case 'news':
      return transact(world.ctx, () => runReconcileSteps(world.ctx, customer))
  }
}

function pay({ customer, payments }: Life, net: number, isLate: boolean): void {
  const id = `in_${world.ctx.newId()}`
  const paidAt = new Date(world.ctx.billingNow().getTime() - (isLate ? 40 : 0) * 86_400_000).toISOString()
  const total = net + vatOn(net)
  world.ctx.db
    .insert(providerInvoices)
    .values({
      id,
      customerId: customer.id,
      status: 'paid',
      net,
      vat: total - net,
      total,
      amountPaid: total,
      created: paidAt,
      paidAt,
    })
    .run()
  payments.push(id)
}

const refundsOf = (payment: string) =>
  world.ctx.sqlite
    .prepare<[string], { id: string; amount: number }>(
      `select id, amount from provider_refunds where providerInvoiceId = ? and status = 'succeeded' order by id`,
    )
    .all(payment)
const refundedOf = (payment: string) => refundsOf(payment).reduce((sum, { amount }) => sum + amount, 0)
const totalOf = (payment: string) =>
  world.ctx.sqlite.prepare<[string], { total: number }>('select total from provider_invoices where id = ?').get(payment)
    ?.total ?? 0

function refund({ customer }: Life, payment: string | undefined, part: number): void {
  if (payment === undefined) return
  const left = totalOf(payment) - refundedOf(payment)
  const amount = Math.ceil((left * part) / 100)
  if (amount === 0) return
  const row = { id: `re_${world.ctx.newId()}`, customerId: customer.id, providerInvoiceId: payment, amount }
  world.ctx.db
    .insert(providerRefunds)
    .values({ ...row, status: 'succeeded', reason: null, created: world.ctx.billingNow().toISOString() })
    .run()
}

function failRefund(payment: string | undefined): void {
  const [first] = payment === undefined ? [] : refundsOf(payment)
  if (first) world.ctx.sqlite.prepare(`update provider_refunds set status = 'failed' where id = ?`).run(first.id)
}

function remainingAmounts(id: string) {
  const invoice = issuedInvoices(world).find((one) => one.id === id)
  const notes = issuedNotes(world).filter(({ invoiceId }) => invoiceId === id)
  const left = (what: 'net' | 'vat' | 'gross') =>
    (invoice?.[what] ?? 0) - notes.reduce((sum, note) => sum + note[what], 0)
  return { net: left('net'), vat: left('vat'), gross: left('gross') }
}

/** Whatever happened, each payment has one invoice for what wasn't refunded, and all others are fully credited. */
function checkBooks({ customer, payments }: Life): void {
  const newest = newestInvoices(world.ctx, customer.id)
  expect(newest.map(({ providerInvoiceId }) => providerInvoiceId).sort()).toEqual([...payments].sort())
  for (const invoice of issuedInvoices(world).filter(({ customerId }) => customerId === customer.id)) {
    const left = remainingAmounts(invoice.id)
    const stands = newest.some(({ id }) => id === invoice.id) && !isRemoved(world.ctx, invoice)
    const payment = invoice.providerInvoiceId ?? ''
    expect([invoice.number, left.gross]).toEqual([invoice.number, stands ? totalOf(payment) - refundedOf(payment) : 0])
    expect(left.net + left.vat).toBe(left.gross)
    expect(Math.min(left.net, left.vat)).toBeGreaterThanOrEqual(0)
  }
  for (const series of [issuedInvoices(world), issuedNotes(world)]) {
    expect(series.map(({ sequence }) => sequence)).toEqual(series.map((_, at) => at + 1))
  }
}

test('INV-3 after any mix of payments, refunds, failures, repairs, removals and reissues, the books equal the money received', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      const life = newLife()
      for (const done of steps) {
        await take(life, done)
        await take(life, { kind: 'news' })
        checkBooks(life)
      }
    }),
    { numRuns: process.env.FULL ? 120 : 10 },
  )
})
