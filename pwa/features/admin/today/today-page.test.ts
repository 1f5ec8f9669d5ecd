import { relational } from '#api/db/tables.ts'
import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { coachingBooking, contactMessage } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const part = (name: string) => screen.findByRole('region', { name })

test('the day by its parts, each with the way to where it is put right; without signal it stays, with its time', async () => {
  world.addMember({ firstName: 'Priya', lastName: 'Shah', phone: '07700 900123', subscription: { status: 'past_due' } })
  const { customerId, id } = relational(world.ctx.db).query.subscriptions.findFirst().sync() ?? {
    customerId: '',
    id: '',
  }
  insertRow(world.ctx, providerInvoices, {
    ...{ id: 'in_1', customerId, subscriptionId: id, status: 'open', billingReason: 'subscription_cycle', attempts: 1 },
    ...{ net: 25_000, vat: 5_000, total: 30_000, amountPaid: 0, nextAttemptAt: '2026-06-13T07:00:00.000Z' },
    created: world.ctx.billingNow().toISOString(),
  })
  await world.call('/api/coaching-bookings', { body: coachingBooking })
  await world.call('/api/contact', { body: contactMessage })
  const page = await browser.open('/admin/today')
  const failed = await part('Failed payments')
  expect(failed.textContent).toContain(
    '£300.00 due. We’ll try the card again on 13 June 2026. Access until 26 June 2026.',
  )
  expect(
    within(failed)
      .getByRole('link', { name: /^Ring Priya Shah/ })
      .getAttribute('href'),
  ).toBe('tel:07700900123')
  expect((await part('Applied')).textContent).toContain('No applications to answer.')
  const { href } = within(await part('Messages')).getByRole<HTMLAnchorElement>('link', { name: contactMessage.name })
  expect(href).toContain(`/admin/contacts?q=${encodeURIComponent(contactMessage.email)}`)
  const findings = await part('Books and server')
  expect(findings.textContent).toContain('MRR doesn’t add up')
  const [sync] = within(findings).getAllByRole('button', { name: 'Sync with Stripe' })
  fireEvent.click(sync ?? document.body)
  await waitFor(() => expect(browser.network.sent.map(({ path }) => path)).toContain('/api/admin/jobs/reconcile/run'))
  expect((await screen.findByText('Error')).closest('li')?.textContent).toContain('We can’t reach the payment sandbox')
  browser.setSignal(false)
  fireEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await screen.findByText(/^You’ll need signal to make changes\. As of \d\d:\d\d\.$/)
  browser.setSignal(true)
  fireEvent.click(within(await part('Calls booked')).getByRole('link', { name: coachingBooking.name }))
  await waitFor(() => expect(page.address()).toMatch(/^\/admin\/bookings\?q=/))
})

test('a call that fails says so, and can be made again', async () => {
  browser.setDelivery('/api/admin/today', { status: 500, body: {} })
  await browser.open('/admin/today')
  await screen.findByText('Not up to date')
  browser.setDelivery('/api/admin/today', 'deliver')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect((await part('Paid')).textContent).toContain('No payments since 11 June 2026.')
})

test('an old address that says the change wasn’t theirs waits on Today until an owner decides', {
  tags: ['full'],
}, async () => {
  const { id } = world.addUser({ email: 'before@example.com', firstName: 'Sam', lastName: 'Fields' })
  const owner = world.signIn(world.addOwner())
  const profile = { firstName: 'Sam', lastName: 'Fields', phone: null, businessName: null, trade: null, version: 1 }
  const body = { ...profile, email: 'after@example.com' }
  await owner(`/api/admin/members/${id}/profile`, { method: 'PUT', body })
  const mailed = world.ctx.sqlite
    .prepare(`select text from mail_outbox where "to" = 'before@example.com'`)
    .pluck()
    .get()
  await browser.open(/\/members\/not-me\S+/.exec(String(mailed))?.[0] ?? '')
  fireEvent.click(await screen.findByRole('button', { name: 'This wasn’t me' }))
  await screen.findByRole('heading', { name: 'Thanks for telling us' })
  await browser.open('/admin/today')
  const changes = await part('Email changes')
  within(changes).getByRole('link', { name: 'Sam Fields says the email change wasn’t theirs' })
  fireEvent.click(within(changes).getByRole('button', { name: 'Restore old address' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Email changes' })).toBeNull())
  expect(world.ctx.sqlite.prepare('select email from users where id = ?').pluck().get(id)).toBe('before@example.com')
})
