import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { coachingApplication, coachingBooking, contactMessage, rowsOf } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { londonDay } from '#shared/rules/london.ts'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const tick = async (name: string) => fireEvent.click(await screen.findByLabelText(`Choose ${name}`))
function addOrder(firstName: string): void {
  insertRow(world.ctx, quotientOrders, {
    id: world.ctx.newId(),
    firstName,
    lastName: 'Reed',
    email: 'reed@example.com',
    businessName: 'Reed',
    status: 'paid',
    agreeToTerms: true,
    net: 45_000,
    vat: 9_000,
    total: 54_000,
    createdAt: world.ctx.now().toISOString(),
  })
}

const dialog = () => within(screen.getByRole('dialog'))

test('chosen applications are marked once confirmed by name; what the other owner set meanwhile stays, and is named', {
  tags: ['full'],
}, async () => {
  for (const name of ['Ann Lee', 'Bob Day', 'Cat Orr'])
    await world.call('/api/coaching-application', { body: { ...coachingApplication, name } })
  await browser.open('/admin/coaching')
  await tick('Ann Lee')
  await tick('Bob Day')
  press('Mark them')
  expect(dialog().getByText('Bob Day, Ann Lee')).toBeTruthy()
  world.ctx.sqlite.exec(`update coaching_applications set status = 'rejected' where name = 'Bob Day'`)
  fireEvent.change(dialog().getByLabelText('Mark as'), { target: { value: 'approved' } })
  expect(screen.getByRole('dialog').textContent).toContain('Mark 2 applications?')
  fireEvent.click(dialog().getByRole('button', { name: 'Mark them' }))
  await dialog().findByText('1 didn’t work. It’s still selected.')
  expect(
    dialog().getByText('Bob Day: Someone else set this to “rejected”, so we haven’t saved your “approved”.'),
  ).toBeTruthy()
  expect(rowsOf(world, 'coaching_applications').map(({ name, status }) => `${name} ${status}`)).toEqual([
    ...['Ann Lee approved', 'Bob Day rejected', 'Cat Orr pending'],
  ])
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('Mark 1 application?'))
})

test('messages that were answered by phone are marked together, and leave the list of those that wait', {
  tags: ['full'],
}, async () => {
  await world.call('/api/contact', { body: contactMessage })
  await browser.open('/admin/contacts?show=unanswered')
  await tick('Sam Field')
  press('Mark as answered')
  fireEvent.click(dialog().getByRole('button', { name: 'Mark as answered' }))
  await screen.findByText('1 message marked')
  await screen.findByText('Nothing fits this filter')
  expect(rowsOf(world, 'inbox_notes')).toMatchObject([{ about: 'contacts', kind: 'note', text: 'Answered.' }])
})

test('CALLS-20 chosen calls that are over are marked as held; cancelling is not offered, for it tells the other side', {
  tags: ['full'],
}, async () => {
  for (const name of ['Ann Lee', 'Bob Day'])
    await world.call('/api/coaching-bookings', { body: { ...coachingBooking, name } })
  await browser.open('/admin/bookings')
  await tick('Ann Lee')
  // After the list, which stays where it was.
  const bar = screen.getByRole('region', { name: 'Selected rows' })
  const place = screen.getByRole('table', { name: 'Bookings' }).compareDocumentPosition(bar)
  expect(place).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  press('Select all 2')
  press('Mark them')
  const choices = within(dialog().getByLabelText('Mark as')).getAllByRole('option')
  expect(choices.map(({ textContent }) => textContent)).toEqual(['Completed', 'No-show'])
  fireEvent.change(dialog().getByLabelText('Mark as'), { target: { value: 'no-show' } })
  fireEvent.click(dialog().getByRole('button', { name: 'Mark them' }))
  await screen.findByText('2 bookings marked')
  expect(rowsOf(world, 'coaching_bookings').map(({ status }) => status)).toEqual(['no-show', 'no-show'])
})

test('chosen orders are marked as set up today; one that the other owner changed meanwhile stays, and is named', {
  tags: ['full'],
}, async () => {
  for (const firstName of ['Ann', 'Bob']) addOrder(firstName)
  await browser.open('/admin/orders')
  await tick('Ann Reed')
  await tick('Bob Reed')
  press('Mark them')
  world.ctx.sqlite.exec(`update quotient_orders set setUpOn = '2026-06-01', version = 2 where firstName = 'Bob'`)
  fireEvent.click(dialog().getByRole('button', { name: 'Mark them' }))
  await dialog().findByText(/^Bob Reed: Someone else has changed this/)
  expect(rowsOf(world, 'quotient_orders').map(({ firstName, setUpOn }) => `${firstName} ${setUpOn}`)).toEqual([
    ...[`Ann ${londonDay(new Date())}`, 'Bob 2026-06-01'],
  ])
})

test('chosen refused mails are sent again; one that was sent is left out, and one that cannot be sent stays with the reason', {
  tags: ['full'],
}, async () => {
  const mail = { userId: null, text: 'Tea', html: '<p>Tea</p>', isRepeatable: true }
  for (const [at, to] of ['ann@example.com', 'bob@example.com', 'cat@example.com'].entries())
    queueMail(world.ctx, { ...mail, to, subject: 'Receipt', cause: `receipt:${at}` })
  world.ctx.sqlite.exec(`update mail_outbox set status = iif("to" like 'cat%', 'sent', 'refused')`)
  const [ann] = rowsOf(world, 'mail_outbox')
  await browser.open('/admin/mail')
  for (const name of ['ann', 'bob', 'cat']) await tick(`“Receipt” to ${name}@example.com`)
  press('Send again')
  browser.setDelivery(`/api/admin/mail/${ann?.id}/resend`, { status: 500, body: {} })
  expect(dialog().getByText('Send 2 emails again?')).toBeTruthy()
  fireEvent.click(dialog().getByRole('button', { name: 'Send again' }))
  await dialog().findByText('“Receipt” to ann@example.com: It didn’t work.')
  const waiting = () => rowsOf(world, 'mail_outbox').filter(({ status }) => status === 'waiting').length
  expect(waiting()).toBe(1)
  browser.setDelivery(`/api/admin/mail/${ann?.id}/resend`, 'deliver')
  fireEvent.click(dialog().getByRole('button', { name: 'Send again' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(waiting()).toBe(2)
})

test('the file of a short list holds its rows as they are worded on the screen', { tags: ['full'] }, async () => {
  const files: Blob[] = []
  const makeAddress = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:x'
  })
  await browser.open('/admin/tiers')
  fireEvent.click(await screen.findByRole('button', { name: 'CSV: tiers' }))
  const [first, second, third] = (await files[0]?.text())?.split('\r\n') ?? []
  expect([first?.replace('\uFEFF', ''), second?.slice(0, 14), third?.endsWith(',£250.00 + VAT a month,')]).toEqual([
    ...['Tier,Shown,Members,Price a month,Price a year', 'Alliance Lite:', true],
  ])
  makeAddress.mockRestore()
})
