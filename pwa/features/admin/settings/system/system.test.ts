import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jobLeases } from '#api/db/schema/system.ts'
import { queueMail } from '#api/mail/outbox.ts'
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

const row = (name: RegExp) => screen.findByRole('row', { name })

test('a refused mail is found among the others, says why, and is sent again', { tags: ['full'] }, async () => {
  const mail = { userId: null, text: 'Tea', html: '<p>Tea</p>', isRepeatable: true }
  queueMail(world.ctx, { ...mail, to: 'gone@example.com', subject: 'Receipt', cause: 'receipt:1' })
  queueMail(world.ctx, { ...mail, to: 'sam@example.com', subject: 'Welcome', cause: 'welcome:1' })
  world.ctx.sqlite
    .prepare(`update mail_outbox set status = 'refused', "lastError" = '550 no such person' where "to" like 'gone%'`)
    .run()
  const sam = world.addUser({ email: 'sam@example.com' })
  const page = await browser.open('/admin/mail')
  expect((await row(/sam@example.com/)).querySelector('a')?.getAttribute('href')).toBe(`/admin/members/${sam.id}`)
  expect((await row(/gone@example.com/)).querySelector('a')).toBeNull()
  fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'refused' } })
  await waitFor(() => expect(screen.queryByRole('row', { name: /sam@example.com/ })).toBeNull())
  expect(page.address()).toBe('/admin/mail?show=refused')
  expect((await row(/gone@example.com/)).textContent).toContain('550 no such person')
  fireEvent.click(screen.getByRole('button', { name: 'Send “Receipt” to gone@example.com again' }))
  await screen.findByText('Sent again')
  expect(world.ctx.sqlite.prepare('select count(*) from mail_outbox where status = ?').pluck().get('waiting')).toBe(2)
})

const dialog = async () => within(await screen.findByRole('dialog'))
const stopped = () => world.ctx.sqlite.prepare('select address, reason from suppressed_addresses').all()
const audited = () => world.ctx.sqlite.prepare<[], string>('select action from audit_entries order by id').pluck().all()

test('an address is stopped by an owner, with what was typed kept, and freed again', { tags: ['full'] }, async () => {
  const email = "o'neil+a%2fb@example.com"
  await browser.open('/admin/mail')
  await screen.findByText('No blocked addresses')
  fireEvent.click(screen.getByRole('button', { name: 'Block an address' }))
  let asks = await dialog()
  asks.getByText(/login codes and password resets/)
  fireEvent.change(asks.getByLabelText('Email address'), { target: { value: 'nowhere' } })
  fireEvent.change(asks.getByLabelText('Why, for owners only'), { target: { value: 'Not theirs' } })
  fireEvent.click(asks.getByRole('button', { name: 'Block address' }))
  await asks.findByText('Please enter a valid email address')
  expect([stopped(), audited()]).toEqual([[], []])
  fireEvent.click(asks.getByRole('button', { name: 'Leave it' }))
  fireEvent.click(screen.getByRole('button', { name: 'Block an address' }))
  asks = await dialog()
  expect(asks.getByLabelText('Why, for owners only')).toHaveProperty('value', 'Not theirs')
  fireEvent.change(asks.getByLabelText('Email address'), { target: { value: email } })
  browser.setSignal(false)
  fireEvent.click(asks.getByRole('button', { name: 'Block address' }))
  await asks.findByText('No signal')
  browser.setSignal(true)
  fireEvent.click(asks.getByRole('button', { name: 'Block address' }))
  expect((await row(/o'neil/)).textContent).toContain('Not theirs')
  expect(stopped()).toEqual([{ address: email, reason: 'Not theirs' }])
  fireEvent.click(screen.getByRole('button', { name: `Unblock: ${email}` }))
  fireEvent.click((await dialog()).getByRole('button', { name: 'Unblock' }))
  await screen.findByText('No blocked addresses')
  expect([stopped(), audited()]).toEqual([[], ['mail.suppressed', 'mail.allowed']])
})

test('the address of a refused mail is stopped beside it, once', { tags: ['full'] }, async () => {
  const mail = { userId: null, text: 'Tea', html: '<p>Tea</p>', subject: 'Receipt', cause: 'receipt:1' }
  queueMail(world.ctx, { ...mail, to: 'Gone@example.com' })
  queueMail(world.ctx, { ...mail, to: 'waits@example.com', cause: 'receipt:2' })
  world.ctx.sqlite.exec(`update mail_outbox set status = 'refused' where "to" like 'Gone%'`)
  await browser.open('/admin/mail')
  fireEvent.click(await screen.findByRole('button', { name: 'Block Gone@example.com' }))
  expect(screen.queryByRole('button', { name: 'Block waits@example.com' })).toBeNull()
  fireEvent.click((await dialog()).getByRole('button', { name: 'Block address' }))
  await screen.findByRole('button', { name: 'Unblock: gone@example.com' })
  expect(stopped()).toEqual([{ address: 'gone@example.com', reason: '' }])
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Block Gone@/ })).toBeNull())
})

test('the list of stopped addresses says where it could not be read, and is read again', {
  tags: ['full'],
}, async () => {
  const path = '/api/admin/suppressed-addresses'
  await world.signIn(world.addOwner())(path, { body: { email: 'gone@example.com' } })
  browser.setDelivery(path, { status: 403, body: { error: { code: 'forbidden', message: 'Not now.' } } })
  await browser.open('/admin/mail')
  const list = within(await screen.findByRole('region', { name: 'Blocked addresses' }))
  await list.findByText('Not up to date')
  expect(list.queryByText('No blocked addresses')).toBeNull()
  browser.setDelivery(path, 'deliver')
  fireEvent.click(list.getByRole('button', { name: 'Try again' }))
  await list.findByText('gone@example.com')
})

test('a job that waits is not called done: its state and the message say why it waits', {
  tags: ['full'],
}, async () => {
  const owner = world.addOwner()
  const ahead = 3 * 86_400_000
  world.forward(ahead)
  await world.signIn(owner)('/api/admin/suppressed-addresses', { body: { email: 'gone@example.com' } })
  world.forward(-ahead)
  browser.signIn(owner)
  await browser.open('/admin/jobs')
  const job = await row(/Closes last month’s books/)
  fireEvent.click(within(job).getByRole('button', { name: /^Run now/ }))
  await screen.findByText(/^The newest entry is of .*, after now/)
  await waitFor(async () => expect(within(await row(/Closes last month’s books/)).getByText('Waiting')).toBeTruthy())
  expect(within(await row(/Closes last month’s books/)).queryByText('Done')).toBeNull()
})

test('a job that failed is marked and can be run again', async () => {
  world.ctx.db
    .insert(jobLeases)
    .values({
      name: 'clean-up',
      holder: '',
      expiresAt: world.ctx.now().toISOString(),
      lastRunAt: null,
      lastReport: { failed: 'No disk' },
    })
    .run()
  await browser.open('/admin/jobs')
  const job = await row(/Deletes what’s no longer needed/)
  expect(within(job).getByText('Failed')).toBeTruthy()
  expect(job.textContent).toContain('failed: No disk')
  fireEvent.click(within(job).getByRole('button', { name: /^Run now/ }))
  await waitFor(async () => expect(within(await row(/Deletes what’s no longer needed/)).getByText('Done')).toBeTruthy())
})
