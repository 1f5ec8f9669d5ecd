import { afterAll, beforeAll, expect, test } from 'vitest'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { onlyCustomer } from '#api/testing/joining.ts'
import { issuedInvoices, joinAndPay, millLane } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { begunOrder, quotientOrder } from '#api/testing/quotient.ts'

let world: PaymentWorld
beforeAll(async () => {
  world = await startPaymentWorld()
  await joinAndPay(world)
})
afterAll(() => world.stop())

async function invoiceOf(payment: Partial<typeof providerInvoices.$inferInsert>) {
  const customerId = issuedInvoices(world)[0]?.customerId ?? ''
  const id = `in_${world.ctx.newId()}`
  world.ctx.db
    .insert(providerInvoices)
    .values({
      id,
      customerId,
      status: 'paid',
      net: 45_000,
      vat: 9_000,
      total: 54_000,
      amountPaid: 54_000,
      tierSlug: 'xl',
      created: '2026-06-12T07:40:00.000Z',
      paidAt: '2026-06-12T07:40:00.000Z',
      ...payment,
    })
    .run()
  await syncCustomer(world.ctx, onlyCustomer(world))
  return issuedInvoices(world).find(({ providerInvoiceId }) => providerInvoiceId === id)
}

const period = { periodStart: '2026-06-12T07:40:00.000Z', periodEnd: '2026-07-12T07:40:00.000Z' }
const line = {
  description: '1 × XL (at £450.00 / month)',
  quantity: 1,
  unitPrice: 45_000,
  net: 45_000,
  rate: 20,
  vat: 9_000,
}

test('a membership’s line names the tier and the days it is for, both included', async () => {
  const invoice = await invoiceOf({ ...period, lines: [line] })
  expect(invoice?.lines).toEqual([
    { ...line, isPeriod: true, description: 'Alliance XL membership, 12 June 2026 to 11 July 2026' },
  ])
})

test('an upgrade’s line is for no whole period, and what it takes off is the unused part of the last payment', async () => {
  const unused = { ...line, description: 'Unused time', unitPrice: -10_000, net: -10_000, vat: -2_000 }
  const part = { isProration: true, tierSlug: 'standard' } as const
  const amounts = { net: 35_000, vat: 7_000, total: 42_000, amountPaid: 42_000 }
  const lines = [line, { ...unused, ...part }]
  const invoice = await invoiceOf({ ...period, ...amounts, isUpgrade: true, lines })
  expect(invoice?.lines.map(({ isPeriod = false, net }) => [isPeriod, net])).toEqual([
    [false, 45_000],
    [false, -10_000],
  ])
  expect(invoice?.lines[1]?.description).toMatch(/^Less the unused part of the Alliance/)
})

test('the tax point is the London day: half past eleven at night in UTC is tomorrow in summer, not in winter', async () => {
  expect((await invoiceOf({ paidAt: '2026-06-30T23:30:00.000Z' }))?.taxPoint).toBe('2026-07-01')
  expect((await invoiceOf({ paidAt: '2026-01-31T23:30:00.000Z' }))?.taxPoint).toBe('2026-01-31')
})

test('lines that do not add up to what was taken give way to one for the whole', async () => {
  const invoice = await invoiceOf({ ...period, lines: [{ ...line, net: 44_999 }] })
  expect(invoice).toMatchObject({
    net: 45_000,
    vat: 9_000,
    gross: 54_000,
    lines: [{ description: 'Alliance XL membership, 12 June 2026 to 11 July 2026', net: 45_000, vat: 9_000, rate: 20 }],
  })
})

test('several lines keep their own amounts, and what the provider calls the further ones', async () => {
  const extra = { description: 'Workbook', quantity: 2, unitPrice: 500, net: 1_000, rate: 0, vat: 0 }
  const amounts = { net: 46_000, vat: 9_000, total: 55_000, amountPaid: 55_000 }
  const invoice = await invoiceOf({ ...period, ...amounts, lines: [line, extra] })
  expect(invoice?.lines.map(({ description, net, rate, vat }) => [description, net, rate, vat])).toEqual([
    ['Alliance XL membership, 12 June 2026 to 11 July 2026', 45_000, 20, 9_000],
    ['Workbook', 1_000, 0, 0],
  ])
})

test('an order without an account: the set-up, and the buyer, business and address that the order gave', async () => {
  const order = {
    ...quotientOrder,
    packageType: 'master',
    name: 'Ann Joist',
    billingAddress: { ...millLane, country: 'IE' },
  }
  const { clientSecret } = await begunOrder(world, order)
  await world.pay(clientSecret)
  await world.sandbox.settle()
  const invoice = issuedInvoices(world).at(-1)
  expect(invoice).toMatchObject({
    customer: { name: 'Ann Joist', businessName: 'Field Heating', address: '1 Mill Lane\nLeeds\nLS1 1AA\nIreland' },
    lines: [{ description: 'Quotient Master Setup', quantity: 1, net: 75_000, rate: 20, vat: 15_000 }],
    tierSlug: null,
    net: 75_000,
    vat: 15_000,
    gross: 90_000,
    isMissingAddress: false,
  })
})
