import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { coachingBookings, membershipApplications } from '#api/db/schema/forms.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { coachingApplication, coachingBooking, contactMessage, rowsOf } from '#api/testing/enquiries.ts'
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

function addApplication(more: Partial<typeof membershipApplications.$inferInsert> = {}): string {
  const id = world.ctx.newId()
  insertRow(world.ctx, membershipApplications, {
    id,
    firstName: 'Sam',
    lastName: 'Field',
    email: 'sam@example.com',
    phone: '07700 900123',
    businessName: 'Field Decorating',
    trade: 'Painter',
    businessStage: 'growing',
    yearsInTrade: '12',
    currentChallenges: 'Quoting at night',
    goals: 'Two weeks off',
    whyJoin: 'A mate',
    hearAboutUs: 'Podcast',
    agreeTerms: true,
    selectedTier: 'standard',
    createdAt: world.ctx.now().toISOString(),
    ...more,
  })
  return id
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const choose = async (label: string, value: string) =>
  fireEvent.change(await screen.findByRole('combobox', { name: label }), { target: { value } })

describe('membership applications', () => {
  test('ADMN-19 ENT-4 CALLS-11 CALLS-21 EMSG-9 pending is yellow, all else green; the dialog has every word and the status', async () => {
    addApplication()
    addApplication({ firstName: 'Kelly', lastName: 'Byrne', status: 'rejected' })
    await browser.open('/admin/applications')
    const badge = async (name: string, status: string) => within(await row(name)).getByText(status).className
    expect([await badge('Sam Field', 'Pending'), await badge('Kelly Byrne', 'Rejected')]).toEqual([
      'badge badge--open',
      'badge badge--ok',
    ])
    await press('Open Sam Field’s application')
    const dialog = await screen.findByRole('dialog', { name: 'Sam Field' })
    for (const words of ['sam@example.com', '07700 900123', 'Field Decorating', 'Quoting at night', 'Two weeks off'])
      expect(within(dialog).getByText(words)).toBeTruthy()
    await choose('Sam Field’s status', 'contacted')
    await screen.findByText('Status Updated')
    await screen.findByText('Application status has been updated successfully.')
    expect(await badge('Sam Field', 'Contacted')).toBe('badge badge--ok')
  })

  test('the dialog says that its sender is a member now, and leads to their page', async () => {
    addApplication()
    addApplication({ firstName: 'Kelly', lastName: 'Byrne', email: 'kelly@example.com' })
    const { id } = world.addMember({ email: 'sam@example.com' })
    await browser.open('/admin/applications')
    await press('Open Sam Field’s application')
    const dialog = await screen.findByRole('dialog', { name: 'Sam Field' })
    expect(dialog.textContent).toContain('Sam Field is a member now.')
    expect(within(dialog).getByRole('link', { name: 'Sam Field' }).getAttribute('href')).toBe(`/admin/members/${id}`)
    fireEvent.click(within(dialog).getByLabelText('Close'))
    await press('Open Kelly Byrne’s application')
    const other = await screen.findByRole('dialog', { name: 'Kelly Byrne' })
    expect(other.textContent).not.toContain('is a member now')
    await within(other).findByText('Invite to join')
  })

  test('SIMP-6 the address opens an entry, which stays open though its new status takes it off the list', async () => {
    const id = addApplication()
    const page = await browser.open(`/admin/applications?show=pending&entry=${id}`)
    await choose('Sam Field’s status', 'approved')
    await screen.findByText('Nothing fits this filter')
    expect(screen.getByRole('combobox', { name: 'Sam Field’s status' })).toHaveProperty('value', 'approved')
    fireEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'))
    await waitFor(() => expect(page.address()).toBe('/admin/applications?show=pending'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('EMSG-10 a status that is not saved says so; the other owner’s is shown with the reason', {
    tags: ['full'],
  }, async () => {
    const id = addApplication()
    await browser.open('/admin/applications')
    await press('Open Sam Field’s application')
    browser.setDelivery(`/api/admin/membership-applications/${id}/status`, { status: 500, body: {} })
    await choose('Sam Field’s status', 'approved')
    await screen.findByText('Failed to update status. Please try again.')
    expect(rowsOf(world, 'membership_applications')[0]).toMatchObject({ status: 'pending' })
    browser.setDelivery(`/api/admin/membership-applications/${id}/status`, 'deliver')
    world.ctx.sqlite.prepare(`update membership_applications set status = 'rejected'`).run()
    await choose('Sam Field’s status', 'approved')
    await screen.findByText('Someone else set this to “rejected”, so we haven’t saved your “approved”.')
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'Sam Field’s status' })).toHaveProperty('value', 'rejected'),
    )
  })

  test('ADMN-18 CALLS-32 EMSG-23 EMSG-31 deleting names the person and asks first; nothing is left but a sentence', async () => {
    const id = addApplication()
    await browser.open('/admin/applications')
    await press('More for Sam Field')
    await press('Delete application: Sam Field')
    const dialog = await screen.findByRole('dialog', { name: 'Delete Sam Field’s application?' })
    const path = `/api/admin/membership-applications/${id}`
    browser.setDelivery(path, { status: 500, body: {} })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete application' }))
    await screen.findByText('Failed to delete application')
    expect(rowsOf(world, 'membership_applications')).toHaveLength(1)
    browser.setDelivery(path, 'deliver')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete application' }))
    await screen.findByText('No applications yet')
    expect(rowsOf(world, 'membership_applications')).toEqual([])
  })
})

test('CALLS-18 ENT-10 coaching applications: the status is set in the row; spam is shown where it is asked for', async () => {
  await world.call('/api/coaching-application', { body: coachingApplication })
  await world.call('/api/coaching-application', {
    body: { ...coachingApplication, name: 'Bot Smith', homepage: 'https://spam.example' },
  })
  await browser.open('/admin/coaching')
  await choose('Sam Field’s status', 'rejected')
  await screen.findByText('Status Updated')
  await press('Open Sam Field’s application')
  await screen.findByText('Ring after four')
  expect(screen.queryByText('Bot Smith')).toBeNull()
  await choose('Show', 'spam')
  await row('Bot Smith')
})

test('CALLS-17 ENT-13 messages, whole', async () => {
  await world.call('/api/contact', { body: contactMessage })
  await browser.open('/admin/contacts')
  // Its first line is in the list.
  expect((await row('Sam Field')).querySelector('.entry__short')?.textContent).toContain('Do you coach in Leeds?')
  await press('Open Sam Field’s message')
  const dialog = await screen.findByRole('dialog', { name: 'Sam Field' })
  expect(dialog.textContent).toContain('Do you coach in Leeds?\nOr near it?')
})

const receivedAt = '2026-06-12T07:40:00.000Z'
test.each([
  {
    list: 'applications',
    head: 'Name,Email,Phone,Business,Trade,Tier,Received,Status',
    line: `Sam Field,sam@example.com,07700 900123,Field Decorating,Painter,Alliance,${receivedAt},Pending`,
  },
  {
    list: 'coaching',
    head: 'Name,Email,Phone,Trade,Business,Years,Revenue,Received,Status',
    line: `Sam Field,sam@example.com,07700 900123,Painter and decorator,Field Decorating,12,£50k to £100k a year,${receivedAt},Pending`,
  },
  {
    list: 'contacts',
    head: 'Name,Trade,Message,Received',
    line: `Sam Field <sam@example.com>,Decorator,"Do you coach in Leeds?\nOr near it?",${receivedAt}`,
  },
])('the CSV of $list has the columns it always had', async ({ list, head, line }) => {
  addApplication()
  await world.call('/api/coaching-application', { body: coachingApplication })
  await world.call('/api/contact', { body: contactMessage })
  const files: Blob[] = []
  const makeAddress = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) files.push(file)
    return 'blob:x'
  })
  await browser.open(`/admin/${list}`)
  await row('Sam Field')
  fireEvent.click(screen.getByRole('button', { name: /^CSV/ }))
  await waitFor(() => expect(files).toHaveLength(1))
  makeAddress.mockRestore()
  expect((await files[0]?.text())?.replace('\uFEFF', '')).toBe(`${head}\r\n${line}\r\n`)
})

test('CALLS-19 CALLS-20 ENT-14 SIMP-8 bookings, and those still to be held', { tags: ['full'] }, async () => {
  await world.call('/api/coaching-bookings', { body: coachingBooking })
  await browser.open('/admin/bookings?show=upcoming')
  await screen.findByText('13 June 2026, 30 minutes, time still to agree')
  await choose('Sam Field’s status', 'no-show')
  await screen.findByText('Nothing fits this filter')
  const sam = world.addUser({ email: coachingBooking.email })
  await press('Show all')
  const link = await screen.findByRole('link', { name: 'Sam Field' })
  expect(link.getAttribute('href')).toBe(`/admin/members/${sam.id}`)
  await press('Open Sam Field’s booking')
  within(await screen.findByRole('dialog')).getByText('13 June 2026, 30 minutes')
})

test('a member’s call opens in Bookings as in the Calendar: it can be moved, it leads to their page, and no one invites them', async () => {
  const sam = world.addMember({ firstName: 'Sam', lastName: 'Field', email: 'sam@example.com' })
  const now = world.ctx.now().toISOString()
  insertRow(world.ctx, coachingBookings, {
    id: world.ctx.newId(),
    name: 'Sam Field',
    email: 'sam@example.com',
    trade: 'Plumber',
    userId: sam.id,
    kind: 'coaching',
    coach: 'coach-1',
    bookingDate: '2026-06-15',
    createdAt: now,
    updatedAt: now,
    startsAt: '2026-06-15T08:00:00.000Z',
    endsAt: '2026-06-15T08:30:00.000Z',
  })
  await browser.open('/admin/bookings')
  await press('Open Sam Field’s booking')
  const dialog = await screen.findByRole('dialog', { name: 'Sam Field' })
  expect(within(dialog).getByText('Plumber')).toBeTruthy()
  const page = within(dialog).getByRole('link', { name: 'Member’s page' })
  expect(page.getAttribute('href')).toBe(`/admin/members/${sam.id}`)
  await press('Move')
  fireEvent.change(await screen.findByLabelText('Day'), { target: { value: '16/6/2026' } })
  await press('Move and tell them')
  await within(dialog).findByText('Tuesday 16 June 2026, 09:00–09:30, UK time')
  // All outside an open dialog is inert: no one would see or hear it there.
  await within(dialog).findByText('Call moved', { selector: 'b' })
  expect(within(dialog).queryByText('Invite to join')).toBeNull()
  await press('Cancel the call')
  const asks = await screen.findByRole('dialog', { name: 'Cancel the call with Sam Field?' })
  fireEvent.click(within(asks).getByRole('button', { name: 'Cancel the call' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await screen.findByText('Call cancelled', { selector: 'b' })
  expect(rowsOf(world, 'coaching_bookings')[0]).toMatchObject({ status: 'cancelled' })
})

test('an order of the quoting set-up shows what was ordered and whether it is paid', { tags: ['full'] }, async () => {
  insertRow(world.ctx, quotientOrders, {
    id: world.ctx.newId(),
    firstName: 'Kim',
    lastName: 'Reed',
    email: 'kim@example.com',
    businessName: 'Reed',
    agreeToTerms: true,
    net: 45_000,
    vat: 9_000,
    total: 54_000,
    createdAt: world.ctx.now().toISOString(),
    generalDayRate: '450.00',
  })
  await browser.open('/admin/orders?q=reed')
  expect((await row('Kim Reed')).textContent).toContain('Not paid yet')
  await press('Open Kim Reed’s order')
  const dialog = await screen.findByRole('dialog', { name: 'Kim Reed' })
  expect(dialog.textContent).toContain('£540.00 (£450.00 + VAT)')
  expect(within(dialog).getByText('450.00')).toBeTruthy()
})

test('the day of a set-up is kept with the order; the other owner’s is shown beside this one’s, and one is chosen', {
  tags: ['full'],
}, async () => {
  const id = world.ctx.newId()
  insertRow(world.ctx, quotientOrders, {
    id,
    firstName: 'Kim',
    lastName: 'Reed',
    email: 'kim@example.com',
    businessName: 'Reed',
    status: 'paid',
    agreeToTerms: true,
    net: 45_000,
    vat: 9_000,
    total: 54_000,
    createdAt: world.ctx.now().toISOString(),
  })
  await browser.open('/admin/orders?show=to-set-up')
  await press('Open Kim Reed’s order')
  await press('Change the setup')
  const day = await screen.findByLabelText('Set up on')
  fireEvent.input(day, { target: { value: '2026-06-12' } })
  const other = world.signIn(world.addOwner())
  const theirs = { method: 'PATCH', body: { setUpOn: '2026-06-10', version: 1 } }
  expect((await other(`/api/admin/quotient-orders/${id}`, theirs)).status).toBe(200)
  await press('Save the setup')
  const differences = await screen.findByRole('table', { name: 'What’s different' })
  expect(differences.textContent).toContain('Set up on 12 June 2026Set up on 10 June 2026')
  expect(rowsOf(world, 'quotient_orders')[0]).toMatchObject({ setUpOn: '2026-06-10', version: 2 })
  await press('Save mine')
  await screen.findByText('Order saved')
  expect(rowsOf(world, 'quotient_orders')[0]).toMatchObject({ setUpOn: '2026-06-12', version: 3 })
})

test('a note is put right; where the other owner was first, both stand there and one is chosen', {
  tags: ['full'],
}, async () => {
  await world.call('/api/contact', { body: contactMessage })
  const [contact] = rowsOf(world, 'contacts')
  const notes = `/api/admin/inbox/contacts/${contact?.id}/notes`
  const other = world.signIn(world.addOwner())
  const [note] = await (await other(notes, { body: { text: 'Rang twice.' } })).json()
  await browser.open('/admin/contacts')
  await press('Open Sam Field’s message')
  fireEvent.click(await screen.findByRole('button', { name: /^Edit the note from/ }))
  const typed = within(screen.getByRole('form', { name: 'Edit the note' })).getByLabelText('Note, for owners only')
  fireEvent.input(typed, { target: { value: 'Rang three times.' } })
  const path = `${notes}/${note.id}`
  await other(path, { method: 'PATCH', body: { text: 'Rang, no answer.', version: 1 } })
  fireEvent.click(within(screen.getByRole('form', { name: 'Edit the note' })).getByText('Save the note'))
  const differences = await screen.findByRole('table', { name: 'What’s different' })
  expect(differences.textContent).toContain('Rang three times.Rang, no answer.')
  await press('Take theirs')
  expect(await screen.findByDisplayValue('Rang, no answer.')).toBeTruthy()
  expect(rowsOf(world, 'inbox_notes')[0]).toMatchObject({ text: 'Rang, no answer.', version: 2 })
})

test('a note, a reply and an invitation are kept with the entry; what had no answer stays typed, even if the dialog is closed, and is mailed once; the link opens the join at its tier', {
  tags: ['full'],
}, async () => {
  const id = addApplication({ selectedTier: 'xl' })
  await browser.open('/admin/applications')
  await press('Open Sam Field’s application')
  await screen.findByText('No notes yet.')
  const mail = screen.getByLabelText<HTMLTextAreaElement>('Email to sam@example.com')
  fireEvent.change(mail, { target: { value: 'Friday at four?' } })
  const path = `/api/admin/inbox/membership-applications/${id}/reply`
  browser.setDelivery(path, 'lose-response')
  await press('Send the email')
  await screen.findByText(/^No signal/)
  fireEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(screen.getByLabelText('Open Sam Field’s application'))
  const typed = await screen.findByLabelText<HTMLTextAreaElement>('Email to sam@example.com')
  expect([typed.value, typed.closest('details')?.open]).toEqual(['Friday at four?', true])
  browser.setDelivery(path, 'deliver')
  await press('Send the email')
  await waitFor(() => expect(typed.value).toBe(''))
  expect(screen.getAllByText('Waiting')).toHaveLength(1)
  fireEvent.click(await screen.findByText('Invite to join'))
  await press('Send the invitation')
  const link = new URL((await screen.findByText(/membership-application\?invitation=/)).textContent ?? '')
  const page = await browser.open(link.pathname + link.search)
  await screen.findByText('You’re invited to Alliance XL')
  expect(page.address()).toBe('/membership-application')
  expect(await screen.findByDisplayValue('sam@example.com')).toBeTruthy()
  expect(screen.getByRole('complementary', { name: 'Your tier' }).textContent).toContain('Alliance XL')
  await browser.open('/membership-application?invitation=old')
  await screen.findByRole('heading', { name: 'This invitation has run out' })
})
