import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { relational } from '#api/db/tables.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { sam } from '#api/testing/joining.ts'
import { joinAndPay, millLane } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { Today } from '#shared/contract/today.ts'

let world: PaymentWorld
let browser: Browser
let asOwner: Call
beforeEach(async () => {
  world = await startPaymentWorld()
  browser = createBrowser(world)
  const owner = world.addOwner()
  asOwner = world.signIn(owner)
  browser.signIn(owner)
})
afterEach(async () => {
  await browser.close()
  await world.stop()
})

const findings = async () => {
  const today = v.parse(Today, await (await asOwner('/api/admin/today')).json())
  return today.findings.filter(({ check }) => check === 'VAT invoices' || check === 'invoice addresses')
}

test('a missing invoice offers to fix it, and names no one', { tags: ['full'] }, async () => {
  await joinAndPay(world)
  insertRow(world.ctx, providerInvoices, {
    id: 'in_unheard',
    customerId: relational(world.ctx.db).query.customers.findFirst().sync()?.id ?? '',
    status: 'paid',
    paidAt: world.ctx.billingNow().toISOString(),
    net: 25_000,
    vat: 5_000,
    total: 30_000,
    amountPaid: 30_000,
    created: world.ctx.billingNow().toISOString(),
  })
  expect(await findings()).toMatchObject([{ check: 'VAT invoices' }])
  await browser.open('/admin/today')
  await screen.findByRole('button', { name: 'Fix invoices: An invoice is missing' })
})

test('an address that came by another way leaves an invoice to fix, and nobody to ask', {
  tags: ['full'],
}, async () => {
  await joinAndPay(world, sam)
  world.ctx.sqlite.exec(
    `insert into addresses (userId, line1, town, postcode, updatedAt) select userId, '1 Mill Lane', 'Leeds', 'LS1 1AA', createdAt from customers`,
  )
  expect(await findings()).toMatchObject([{ check: 'VAT invoices', message: expect.stringContaining('A-000001') }])
})

test('five people are named, and the rest are a number that leads to their invoices', { tags: ['full'] }, async () => {
  for (let at = 1; at <= 7; at += 1) await joinAndPay(world, { ...sam, email: `sam${at}@example.com` })
  const found = await findings()
  expect(found.map(({ member }) => member?.name)).toEqual([...Array(5).fill('Sam Field'), undefined])
  await browser.open('/admin/today')
  const row = (await screen.findByText(/^2 more people’s invoices have no address/)).closest('li')
  const { href } = within(row ?? document.body).getByRole<HTMLAnchorElement>('link')
  expect(href).toContain('/admin/invoices?show=no-address')
})

test('an invoice without an address names its member and leads to the record, where adding it ends the matter', {
  tags: ['full'],
}, async () => {
  await joinAndPay(world, sam)
  const [finding, ...others] = await findings()
  expect(others).toEqual([])
  expect(finding).toMatchObject({ check: 'invoice addresses', member: { name: 'Sam Field' } })
  const page = await browser.open('/admin/today')
  const row = (await screen.findByText(/^We haven’t got Sam Field’s address/)).closest('li')
  expect(row?.textContent).toContain(
    'We haven’t got Sam Field’s address for invoice A-000001. Ask them, then add it to their record.',
  )
  expect(screen.queryByRole('button', { name: /^Fix invoices/ })).toBeNull()
  expect(within(row ?? document.body).queryByText('For whoever hosts the site')).toBeNull()
  fireEvent.click(within(row ?? document.body).getByRole('link', { name: 'Open record: Sam Field' }))
  await waitFor(() => expect(page.address()).toBe(`/admin/members/${finding?.member?.id}`))
  const saved = await asOwner(`/api/admin/members/${finding?.member?.id}/address`, {
    method: 'PUT',
    body: { address: millLane, before: null },
  })
  expect(saved.status).toBe(200)
  expect(await findings()).toEqual([])
})

test('two people about whom the same is said are two rows', async () => {
  for (const name of ['sam1', 'sam2']) await joinAndPay(world, { ...sam, email: `${name}@example.com` })
  const { data } = await world.ctx.stripe.customers.list()
  for (const { id } of data) {
    await world.ctx.stripe.customers.createBalanceTransaction(id, { amount: -500, currency: 'gbp' })
    await syncCustomer(world.ctx, id)
  }
  await browser.open('/admin/today')
  // React says so where two rows have one key, which fails a test.
  expect(await screen.findAllByText(/Someone added £5\.00 to their balance/)).toHaveLength(2)
})
