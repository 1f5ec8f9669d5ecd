import { afterAll, beforeAll, expect, test } from 'vitest'
import { sam } from '#api/testing/joining.ts'
import { issuedInvoices, joinAndPay, millLane } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'

let world: PaymentWorld
beforeAll(async () => {
  world = await startPaymentWorld()
})
afterAll(() => world.stop())

test('a new invoice has the brand’s colour of its day; one that was issued is the same, byte for byte', async () => {
  const owner = world.signIn(world.addOwner())
  const pdf = async (at: number) =>
    Buffer.from(await (await owner(`/api/billing/invoices/${issuedInvoices(world)[at]?.id}/pdf`)).arrayBuffer())
  await joinAndPay(world)
  const before = await pdf(0)
  const { version } = await (await owner('/api/admin/content/site')).json()
  const body = { version, entry: 'brand.colours', value: { accent: '#7ee0c3', link: '#7a0010' } }
  expect((await owner('/api/admin/content/site', { method: 'PUT', body })).status).toBe(200)
  await joinAndPay(world, { ...sam, email: 'jo@example.com', billingAddress: millLane })
  expect(issuedInvoices(world).map(({ seller }) => seller.accent)).toEqual([undefined, '#7ee0c3'])
  expect((await pdf(0)).equals(before)).toBe(true)
  expect((await pdf(1)).equals(before)).toBe(false)
})
