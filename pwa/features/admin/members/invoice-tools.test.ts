import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { beginJoin, sam } from '#api/testing/joining.ts'
import { issuedInvoices, issuedNotes, millLane } from '#api/testing/paying.ts'
import { payingSite } from '#pwa/features/payment/testing/paying.ts'

const site = payingSite()

beforeEach(async () => {
  const { world, browser } = site
  // Hold the webhooks back: Stripe has the payment and our tables don’t.
  await world.control('settings', { webhooks: { hold: true } })
  const joined = await beginJoin(world.call, { ...sam, billingAddress: millLane })
  await world.pay(joined.response.clientSecret)
  browser.signIn(world.addOwner())
})

const fixPath = '/api/admin/fix-member-invoices'
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

test('INV-1 CALLS-27 EMSG-28 PERM-6 missing invoices are listed first, issued once confirmed, and counted', async () => {
  await site.browser.open('/admin/members')
  await press('Fix invoices')
  const dialog = await screen.findByRole('dialog', { name: 'Fix member invoices' })
  await within(dialog).findByText('Sam Field')
  expect(dialog.textContent).toContain('Here’s what’s missing. Nothing’s been issued yet.Sam Field: 1 VAT invoice.')
  expect(issuedInvoices(site.world)).toEqual([])
  await press('Issue missing invoices')
  await screen.findByText('1 VAT invoice created')
  expect(screen.getByText('0 members with payment-provider issues')).toBeTruthy()
  expect(issuedInvoices(site.world)).toMatchObject([{ number: 'A-000001', gross: 30_000 }])
})

test('EMSG-17 a failure says why, or falls back, and what is left can be issued then', { tags: ['full'] }, async () => {
  await site.browser.open('/admin/members')
  await press('Fix invoices')
  await screen.findByRole('button', { name: 'Issue missing invoices' })
  site.browser.setDelivery(fixPath, { status: 500, body: {} })
  await press('Issue missing invoices')
  await screen.findAllByText('Failed to fix member invoices')
  site.browser.setDelivery(fixPath, 'deliver')
  await press('Issue missing invoices')
  await screen.findByText('1 VAT invoice created')
})

test('INV-2 INV-3 CALLS-28 EMSG-18 what can be deleted is listed first; a refusal is said, and then it goes by a credit note', {
  tags: ['full'],
}, async () => {
  const owner = site.world.signIn(site.world.addOwner())
  await owner(fixPath, { method: 'POST' })
  await site.browser.open('/admin/members')
  await press('More for Sam Field')
  await press('Delete Sam Field’s invoices')
  const dialog = await screen.findByRole('dialog', { name: 'Delete Sam Field’s invoices?' })
  await within(dialog).findByText('A-000001')
  expect(issuedNotes(site.world)).toEqual([])
  site.browser.setDelivery('/api/admin/delete-member-invoices', { status: 500, body: {} })
  await press('Delete 1')
  await screen.findByText('Failed to delete member invoices')
  site.browser.setDelivery('/api/admin/delete-member-invoices', 'deliver')
  await press('Delete 1')
  await screen.findByText('1 invoice deleted')
  expect(issuedNotes(site.world)).toHaveLength(1)
  await press('More for Sam Field')
  await press('Delete Sam Field’s invoices')
  await screen.findByText('There’s nothing to delete.')
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Delete \d/ })).toBeNull())
})
