import { relational } from '#api/db/tables.ts'
import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { coachingApplication, coachingBooking, contactMessage, waitingMail } from '#api/testing/enquiries.ts'
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

/** Priya's renewal has failed. */
function addFailure() {
  world.addMember({
    firstName: 'Priya',
    lastName: 'Shah',
    phone: '07700 900123',
    subscription: { status: 'past_due' },
  })
  const { customerId, id } = relational(world.ctx.db).query.subscriptions.findFirst().sync() ?? {
    customerId: '',
    id: '',
  }
  insertRow(world.ctx, providerInvoices, {
    id: 'in_1',
    customerId,
    subscriptionId: id,
    status: 'open',
    billingReason: 'subscription_cycle',
    attempts: 1,
    net: 25_000,
    vat: 5_000,
    total: 30_000,
    amountPaid: 0,
    nextAttemptAt: '2026-06-13T07:00:00.000Z',
    created: world.ctx.billingNow().toISOString(),
  })
}

const counter = () => screen.getByRole('heading', { level: 2, name: /^To do/ }).textContent
const mailsOf = (kind: string) => waitingMail(world).filter(({ cause }) => cause.startsWith(kind))

test('what is to do, with the business above and the week beside it; without signal it stays, with its time', async () => {
  addFailure()
  await world.call('/api/coaching-bookings', { body: coachingBooking })
  await world.call('/api/contact', { body: contactMessage })
  const page = await browser.open('/admin/today')
  const failed = await part('Failed payments')
  expect(failed.textContent).toContain(
    '£300.00 due. We’ll try the card again on 13 June 2026. Access until 26 June 2026.',
  )
  const ring = within(failed).getByRole('link', { name: /^Ring Priya Shah/ })
  expect(ring.getAttribute('href')).toBe('tel:07700900123')
  const due = screen.getByRole('link', { name: 'Due' }).closest('li')?.textContent
  expect(due).toBe('Due£300.00failed renewals')
  expect(screen.queryByRole('region', { name: 'Applied' })).toBeNull()
  const { href } = within(await part('Messages')).getByRole<HTMLAnchorElement>('link', { name: contactMessage.name })
  expect(href).toContain(`/admin/contacts?q=${encodeURIComponent(contactMessage.email)}`)
  const findings = await part('Things to fix')
  expect(findings.textContent).toContain('MRR doesn’t add up')
  within(findings).getAllByText('For whoever hosts the site')
  const [sync] = within(findings).getAllByRole('button', { name: 'Sync with Stripe' })
  fireEvent.click(sync ?? document.body)
  await waitFor(() => expect(browser.network.sent.map(({ path }) => path)).toContain('/api/admin/jobs/reconcile/run'))
  expect((await screen.findByText('Error')).closest('li')?.textContent).toContain('We can’t reach the payment sandbox')
  browser.setSignal(false)
  fireEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await screen.findByText(/^You’ll need signal to make changes\. As of \d\d:\d\d\.$/)
  browser.setSignal(true)
  fireEvent.click(within(await part('Calls')).getByRole('link', { name: coachingBooking.name }))
  await waitFor(() => expect(page.address()).toMatch(/^\/admin\/bookings\?q=/))
})

test('a reply leaves the list at once and can be undone until it’s sent; a closing page sends it', {
  tags: ['full'],
}, async () => {
  await world.call('/api/contact', { body: contactMessage })
  await browser.open('/admin')
  const reply = { region: 'Messages', button: `Reply: ${contactMessage.name}`, words: 'Yes, in Leeds too.' }
  fireEvent.click(within(await part(reply.region)).getByRole('button', { name: reply.button }))
  fireEvent.change(await screen.findByLabelText(`Email to ${contactMessage.email}`), {
    target: { value: reply.words },
  })
  const before = Number(/\d+/.exec(counter() ?? '')?.[0])
  fireEvent.click(screen.getByRole('button', { name: 'Send email' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Messages' })).toBeNull())
  expect(counter()).toBe(`To do ${before - 1}`)
  await screen.findByRole('button', { name: 'Undo' })
  fireEvent.keyDown(document.body, { key: 'u' })
  await part('Messages')
  fireEvent(window, new Event('pagehide'))
  expect(mailsOf('inbox')).toEqual([])
  fireEvent.click(within(await part(reply.region)).getByRole('button', { name: reply.button }))
  const field = await screen.findByLabelText<HTMLTextAreaElement>(`Email to ${contactMessage.email}`)
  expect(field.value).toBe(reply.words)
  fireEvent.click(screen.getByRole('button', { name: 'Send email' }))
  fireEvent(window, new Event('pagehide'))
  await waitFor(() => expect(mailsOf('inbox')[0]?.text).toContain(reply.words))
  await screen.findByText('Sent')
})

test('a message answered somewhere else is marked answered, with a note for owners', async () => {
  await world.call('/api/contact', { body: contactMessage })
  await browser.open('/admin')
  const messages = within(await part('Messages'))
  expect(messages.queryByRole('button', { name: /^Called back/ })).toBeNull()
  fireEvent.click(messages.getByRole('button', { name: `Answered: ${contactMessage.name}` }))
  fireEvent.click(await screen.findByRole('button', { name: 'Mark answered' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Messages' })).toBeNull())
  fireEvent(window, new Event('pagehide'))
  const notes = world.ctx.sqlite.prepare('select text from inbox_notes').pluck()
  await waitFor(() => expect(notes.all()).toEqual(['Answered.']))
})

test('j and k move between the entries, and Enter does the first thing: an approval, a card link', {
  tags: ['full'],
}, async () => {
  addFailure()
  await world.call('/api/coaching-application', { body: coachingApplication })
  const page = await browser.open('/admin')
  await part('Applied')
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
  const focused = () => document.activeElement?.textContent
  press('j')
  press('j')
  expect(focused()).toContain(coachingApplication.name)
  press('k')
  expect(focused()).toContain('Priya Shah')
  press('Enter')
  await screen.findByText(/They owe £300\.00 and .* If they don’t, we’ll charge the new card on 13 June 2026\.$/)
  fireEvent.click(await screen.findByRole('button', { name: 'Send email' }))
  expect(focused()).toContain(coachingApplication.name)
  // Who’s been asked is somewhere all along: here, until the email has left.
  expect((await part('Payments due')).textContent).toMatch(/Priya Shah.*Asking for a new card\./)
  press('Enter')
  await screen.findByText('We’ll mark them approved. We won’t email them.')
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Applied' })).toBeNull())
  await page.go('/admin/members')
  await waitFor(() => expect(mailsOf('card-link')).toHaveLength(1))
  const status = world.ctx.sqlite.prepare('select status from coaching_applications').pluck()
  await waitFor(() => expect(status.get()).toBe('approved'))
  await page.go('/admin')
  await within(await part('Payments due')).findByText(/Asked for a new card on 12 June 2026, 08:40\.$/)
})

test('a call that fails says so, and can be made again', async () => {
  browser.setDelivery('/api/admin/today', { status: 500, body: {} })
  await browser.open('/admin/today')
  await screen.findByText('Not up to date')
  browser.setDelivery('/api/admin/today', 'deliver')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Nothing’s waiting for you.')
  expect(screen.queryByRole('region', { name: 'Paid' })).toBeNull()
  expect((await part('Calls')).textContent).toContain('No calls this week.')
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
  const address = world.ctx.sqlite.prepare('select email from users where id = ?').pluck()
  expect(address.get(id)).toBe('after@example.com')
  fireEvent(window, new Event('pagehide'))
  await waitFor(() => expect(address.get(id)).toBe('before@example.com'))
})
