import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { callHours } from '#api/db/schema/calendar.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { rowsOf, waitingMail } from '#api/testing/enquiries.ts'
import { addPhoto } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { photoPathForOwners } from '#shared/contract/photo.ts'

// Friday 12 June 2026, 08:40 in London.
let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

function addCall(startsAt: string, more: Partial<typeof coachingBookings.$inferInsert> = {}): string {
  const id = world.ctx.newId()
  const endsAt = new Date(Date.parse(startsAt) + 1_800_000).toISOString()
  const now = world.ctx.now().toISOString()
  insertRow(world.ctx, coachingBookings, {
    id,
    name: 'Sam Field',
    email: 'sam@example.com',
    phone: '07700 900123',
    notes: 'Prices',
    kind: 'coaching',
    coach: 'coach-1',
    startsAt,
    endsAt,
    bookingDate: startsAt.slice(0, 10),
    createdAt: now,
    updatedAt: now,
    ...more,
  })
  return id
}

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const type = async (label: string | RegExp, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })
const booking = () => rowsOf(world, 'coaching_bookings')[0]

describe('booked calls', () => {
  test('CALLS-5 one still to come leads from the member’s page to where it can be moved', async () => {
    const { id: userId, email } = world.addMember({ tier: 'xl' })
    const id = addCall('2026-06-15T08:00:00.000Z', { userId, email })
    await browser.open(`/admin/members/${userId}`)
    const link = await screen.findByRole('link', { name: /^15 June 2026/ })
    expect(link.getAttribute('href')).toBe(`/admin/calendar?day=2026-06-15&entry=${id}`)
  })

  test('are those from today on where the address names no day that can be', { tags: ['full'] }, async () => {
    const page = await browser.open('/admin/calendar?day=9999-12-31')
    for (const day of ['2026-02-31', '9999-99-99']) {
      expect(await screen.findByRole('heading', { name: /12 to 18 June 2026/ })).toBeTruthy()
      await page.go(`/admin/calendar?day=${day}`)
    }
    expect(await screen.findByRole('heading', { name: /12 to 18 June 2026/ })).toBeTruthy()
  })

  test('are shown for seven days from today; one is moved, with what was typed kept, and cancelled', {
    tags: ['full'],
  }, async () => {
    addCall('2026-06-12T13:00:00.000Z')
    addCall('2026-06-19T08:00:00.000Z', { name: 'Next Week' })
    const away = { firstDay: '2026-06-13', lastDay: '2026-06-13', note: 'Away' }
    await world.signIn(world.addOwner())('/api/admin/calendar/days', { body: away })
    const page = await browser.open('/admin/calendar')
    const call = await screen.findByRole('button', { name: /14:00–14:30.*Sam Field.*Coaching call/ })
    expect(screen.queryByText('Next Week')).toBeNull()
    // Its number of calls is news of its own, not a part of the heading.
    expect(screen.getByRole('heading', { name: '12 to 18 June 2026' }).querySelector('[role]')).toBeNull()
    expect(screen.getByText('1 call').getAttribute('role')).toBe('status')
    const [first] = screen.getAllByRole('heading', { level: 3 })
    expect(first?.textContent).toBe('Friday 12 JuneToday')
    fireEvent.click(call)
    const dialog = await screen.findByRole('dialog', { name: 'Sam Field' })
    expect(within(dialog).getByText('Prices')).toBeTruthy()
    await press('Move')
    await press('Move and tell them')
    await screen.findByText('It’s already at that time')
    expect(waitingMail(world)).toEqual([])
    await press('Move')
    await type('Day', '13/6/2026')
    await screen.findByText('Day off (Away).')
    await type('Day', '12/6/2026')
    await type('Time, UK', '16:00')
    fireEvent.click(screen.getByRole('button', { name: 'Leave it where it is' }))
    await press('Move')
    expect(await screen.findByLabelText('Time, UK')).toHaveProperty('value', '16:00')
    browser.setSignal(false)
    await press('Move and tell them')
    await screen.findByText('No signal')
    browser.setSignal(true)
    await press('Move and tell them')
    await screen.findByRole('button', { name: /16:00–16:30/ })
    expect(booking()).toMatchObject({ startsAt: '2026-06-12T15:00:00.000Z' })
    await press('Cancel the call')
    const asks = await screen.findByRole('dialog', { name: 'Cancel the call with Sam Field?' })
    fireEvent.click(within(asks).getByRole('button', { name: 'Cancel the call' }))
    await waitFor(() => expect(booking()).toMatchObject({ status: 'cancelled' }))
    await press('Next week')
    await screen.findByRole('button', { name: /Next Week/ })
    expect(page.address()).toContain('day=2026-06-19')
  })

  test('show who calls: the photo of a member, there and on their page', { tags: ['full'] }, async () => {
    const danny = world.addMember({ firstName: 'Danny', lastName: 'Marsh' })
    const address = photoPathForOwners(addPhoto(world.ctx, danny))
    addCall('2026-06-12T13:00:00.000Z', { userId: danny.id, name: 'Danny Marsh' })
    addCall('2026-06-12T14:00:00.000Z')
    await browser.open('/admin/calendar')
    fireEvent.click(await screen.findByRole('button', { name: /Danny Marsh/ }))
    expect((await screen.findByRole('img', { name: 'Danny Marsh' })).getAttribute('src')).toBe(address)
    expect(screen.queryByText('Invite to join')).toBeNull()
    fireEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'))
    fireEvent.click(await screen.findByRole('button', { name: /Sam Field/ }))
    await screen.findByRole('dialog', { name: 'Sam Field' })
    expect(screen.queryByRole('img')).toBeNull()
    await browser.open(`/admin/members/${danny.id}`)
    const title = await screen.findByRole('heading', { level: 1, name: 'Danny Marsh' })
    expect(title.parentElement?.querySelector('img')?.getAttribute('src')).toBe(address)
  })

  test('who did not come is told; a note stays with the owners', { tags: ['full'] }, async () => {
    addCall('2026-06-12T07:00:00.000Z', { kind: 'consultation' })
    await browser.open('/admin/calendar?span=day')
    fireEvent.click(await screen.findByRole('button', { name: /08:00–08:30/ }))
    fireEvent.click(await screen.findByText('Add a note'))
    await type('Note, for owners only', 'Rang twice.')
    await press('Save the note')
    await screen.findByText('Rang twice.')
    await screen.findByText('Invite to join')
    await press('Mark as no-show')
    await press('Mark and tell them')
    await screen.findByRole('button', { name: 'Undo' })
    expect(booking()).toMatchObject({ status: 'no-show' })
    expect(waitingMail(world).map(({ subject, text }) => [subject, text.includes('Rang')])).toEqual([
      ['We missed you: Friday 12 June 2026, 08:00', false],
    ])
  })
})

test('a week of hours is typed, copied from Monday and kept; another owner’s change stands beside it', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/calendar?view=hours')
  await press('Change Olive Hart’s hours, coaching call')
  await type('Monday, from', '09:00')
  await type('Monday, until', '00:00')
  await press('Add a time on Monday')
  await type('Monday, from, time 2', '13:00')
  await press('Save hours')
  await screen.findByText('Write a time as 09:00.')
  await press('Remove time 2 on Monday')
  await type('Monday, from', '09:00')
  await type('Monday, until', '12:00')
  await press('Tuesday to Friday same as Monday')
  const stored = { coach: 'coach-1', kind: 'coaching', weekday: 'sat', windows: [{ opens: '10:00', closes: '11:00' }] }
  insertRow(world.ctx, callHours, {
    id: world.ctx.newId(),
    ...stored,
    kind: 'coaching',
    weekday: 'sat',
    updatedAt: world.ctx.now().toISOString(),
  })
  fireEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'))
  await press('Change Olive Hart’s hours, coaching call')
  await screen.findByText('We’ve kept what you typed')
  expect(screen.getByLabelText('Friday, until')).toHaveProperty('value', '12:00')
  await press('Save hours')
  const both = await screen.findByRole('table', { name: 'What’s different' })
  expect(within(both).getByRole('row', { name: 'Saturday None 10:00–11:00' })).toBeTruthy()
  await press('Save mine')
  await screen.findByText(/Mon–Fri 09:00–12:00/)
  const rows = rowsOf(world, 'call_hours')
  expect(rows.map(({ weekday, version }) => [weekday, version]).sort()).toEqual([
    ['fri', 1],
    ['mon', 1],
    ['sat', 2],
    ['thu', 1],
    ['tue', 1],
    ['wed', 1],
  ])
})

test('before any hours are set, the calendar says that nobody can book, and leads to them', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/calendar')
  await screen.findByText('Set your weekly hours so people can book calls')
  fireEvent.click(screen.getByRole('link', { name: 'Set the weekly hours' }), { button: 0 })
  await screen.findByText(/Press “Change” next to a coach/)
  await press('Change Olive Hart’s hours, coaching call')
  await type('Monday, from', '09:00')
  await type('Monday, until', '12:00')
  await press('Save hours')
  await screen.findByText('Mon 09:00–12:00')
  expect(screen.queryByText(/^Set your weekly hours/)).toBeNull()
})

test('a day off and shorter hours say which booked calls they leave outside, each with the way to move or cancel it', {
  tags: ['full'],
}, async () => {
  openCalendar(world)
  addCall('2026-06-15T08:00:00.000Z')
  addCall('2026-06-16T09:30:00.000Z', { name: 'Kim Reed', coach: 'coach-2' })
  addCall('2026-06-15T09:00:00.000Z', { name: 'Off Already', status: 'cancelled' })
  const page = await browser.open('/admin/calendar?view=days')
  await screen.findByText('No days off')
  await press('Add days off')
  await type('First day', '2026-06-15')
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('1 call booked on these days')
  dialog.getByText('Monday 15 June 2026, 09:00–09:30: Sam Field, Coaching call with Olive Hart')
  await type('Last day', '2026-06-16')
  await dialog.findByText('2 calls booked on these days')
  await type('Who', 'coach-2')
  await dialog.findByText('1 call booked on these days')
  await press(/^Save days for/)
  await screen.findByText('1 booked call is outside the hours')
  fireEvent.click(screen.getByRole('link', { name: /Kim Reed/ }))
  const call = within(await screen.findByRole('dialog', { name: 'Kim Reed' }))
  call.getByRole('button', { name: 'Move' })
  expect(page.address()).toContain('day=2026-06-16')
  fireEvent.click(call.getByRole('button', { name: 'Cancel the call' }))
  const asks = await screen.findByRole('dialog', { name: 'Cancel the call with Kim Reed?' })
  fireEvent.click(within(asks).getByRole('button', { name: 'Cancel the call' }))
  await waitFor(() => expect(rowsOf(world, 'coaching_bookings')[1]).toMatchObject({ status: 'cancelled' }))

  await browser.open('/admin/calendar?view=hours')
  await press('Change Olive Hart’s hours, coaching call')
  expect(screen.queryByText(/outside the hours/)).toBeNull()
  await type('Monday, from', '09:30')
  await press('Save hours')
  await screen.findByText('1 booked call is outside the hours')
  expect(screen.getByRole('link', { name: /Sam Field/ })).toBeTruthy()
})

test('days off, kinds of call, the morning mail and a secret address are set', { tags: ['full'] }, async () => {
  await browser.open('/admin/calendar?view=days')
  await press('Add days off')
  await press(/^Save days for/)
  await screen.findByText('This isn’t a date.')
  await type('First day', '2026-08-31')
  await type('Note, for owners only', 'Bank holiday')
  await press(/^Save days for/)
  await screen.findByText('Bank holiday')
  await press('More for Monday 31 August 2026')
  await press('Delete: Monday 31 August 2026')
  await press('Delete')
  await screen.findByText('No days off')

  fireEvent.click(screen.getByRole('link', { name: 'Kinds of call' }))
  await press('Change: Catch-up call')
  fireEvent.input(await screen.findByLabelText('Hours of notice'), { target: { value: '2.5' } })
  await press('Save')
  await screen.findByText('150 minutes')

  fireEvent.click(screen.getByRole('link', { name: 'Email and apps' }))
  fireEvent.click((await screen.findAllByRole('button', { name: /^Change .*’s morning email$/ }))[0] ?? document.body)
  fireEvent.input(await screen.findByLabelText('To'), { target: { value: 'bob@alliance.test' } })
  await press('Save')
  await screen.findByText('At 06:30 to bob@alliance.test')
  await press('New link')
  await press('Make link')
  const made = await screen.findByLabelText<HTMLInputElement>('Link')
  expect(made.value).toMatch(/\/api\/calendar\/feeds\/\S{40,}/)
  await press('I’ve got it')
  await screen.findByRole('button', { name: 'Replace the link for All coaches' })
})

test('who has not booked the month’s call is one press from being asked', { tags: ['full'] }, async () => {
  const danny = world.addMember({ tier: 'xl' })
  const kim = world.addMember()
  addCall('2026-06-15T08:00:00.000Z', { userId: kim.id })
  await browser.open('/admin/calendar?view=monthly')
  const ask = await screen.findByRole('button', { name: /^Ask to book: / })
  fireEvent.click(ask)
  await screen.findByText(/Not booked. Asked on/)
  expect(waitingMail(world).map(({ to }) => to)).toEqual([danny.email])
  fireEvent.click(await screen.findByRole('button', { name: /^Give .* one more call/ }))
  await screen.findByText('1 of 2')
  fireEvent.click(await screen.findByRole('link', { name: /^Open .*’s call$/ }))
  await screen.findByRole('dialog', { name: 'Sam Field' })
})
