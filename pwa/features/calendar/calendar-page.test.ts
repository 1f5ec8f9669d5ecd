import '#pwa/testing/window.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCalendar } from '#api/testing/calendar.ts'
import { rowsOf, waitingMail } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { siteContent } from '#pwa/testing/public-data.ts'

const monday9 = '2026-06-15T08:00:00.000Z'
const bookings = () => rowsOf(world, 'coaching_bookings')

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  openCalendar(world)
  browser = createBrowser(world)
})
afterEach(() => browser.close())

const radio = (name: string | RegExp) => screen.getByRole('radio', { name })
/** London time, next to the machine's time zone if that differs. */
const at = (time: string) => new RegExp(`(^|[^\\d])${time}( UK)?$`)
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const type = (label: RegExp, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })

const another = () => screen.getByRole('button', { name: 'Choose Different Coach' })
const isAfter = (one: Node, other: Node) =>
  (other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

test('HOME-13 LAND-2 a visitor chooses, loses the time to somebody quicker, keeps what was typed, and books another by mail', {
  tags: ['full'],
}, async () => {
  await browser.open('/book-call?for=consultation')
  fireEvent.click(await screen.findByRole('radio', { name: 'Monday 15 June' }))
  fireEvent.click(radio(at('09:00')))
  type(/Name/, 'Sam Field')
  type(/Email/, 'sam@example.com')
  await world.call('/api/calendar/holds', {
    body: { kind: 'sales', coach: 'coach-1', startsAt: monday9, name: 'Kim', email: 'kim@example.com' },
  })
  press('Book this call')
  expect(await screen.findByText('Someone’s just booked that time')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>(/Name/).value).toBe('Sam Field')
  fireEvent.click(await screen.findByRole('radio', { name: /^Mon 15 Jun, .*09:00( UK)?$/ }))
  browser.setSignal(false)
  press('Book this call Needs signal')
  expect(await screen.findByText(/No signal\. We’ve kept your time and what you typed/)).toBeTruthy()
  expect(bookings().length).toBe(1)
  browser.setSignal(true)
  press('Book this call')
  expect(await screen.findByText('One more step: check your email')).toBeTruthy()
  expect(bookings().at(-1)).toMatchObject({ coach: 'coach-2', startsAt: monday9, name: 'Sam Field' })

  const token = /book-call\?call=(\S+)/.exec(waitingMail(world).at(-1)?.text ?? '')?.[1]
  await browser.open(`/book-call?call=${token}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Book this call' }))
  press(await screen.findByText('Cancel the call').then(() => 'Cancel the call'))
  press('Yes, cancel it')
  await waitFor(() => expect(bookings().at(-1)).toMatchObject({ status: 'cancelled' }))
  const again = await screen.findByRole('link', { name: 'Pick another time' })
  expect(again.getAttribute('href')).toBe('/book-call?for=consultation')
  expect(document.activeElement?.textContent).toContain('This call’s cancelled')
  expect(document.activeElement).not.toBe(document.body)
})

test('BOOK-1 a member books within their own pages, says which number to ring, and adds it to their calendar first', async () => {
  const member = world.addMember({ firstName: 'Sam' })
  world.ctx.sqlite.prepare('update users set phone = ? where id = ?').run('07700 900111', member.id)
  browser.signIn(member)
  await browser.open('/members/catch-up')
  fireEvent.click(await screen.findByRole('button', { name: siteContent.coaches[1]?.name ?? '' }))
  await screen.findByRole('radio', { name: 'Monday 15 June' })
  press('Book this call')
  await screen.findByText('Pick a day and a time first.')
  fireEvent.click(screen.getByRole('radio', { name: 'Monday 15 June' }))
  fireEvent.click(radio(at('09:00')))
  expect(screen.queryByText('Pick a day and a time first.')).toBeNull()
  expect(document.querySelector('.dock')).not.toBeNull()
  expect(isAfter(another(), screen.getByRole('button', { name: 'Book this call' }))).toBe(false)
  expect(screen.getByLabelText<HTMLInputElement>(/The number to ring you on/).value).toBe('07700 900111')
  type(/The number to ring you on/, '07700 900222')
  press('Book this call')
  await screen.findByRole('heading', { name: 'Booked' })
  // What's booked comes first.
  expect(isAfter(another(), screen.getByRole('heading', { name: 'Booked' }))).toBe(true)
  const rings = `${siteContent.coaches[1]?.name} will ring you on 07700 900222`
  expect(screen.getByText(rings)).toBeTruthy()
  const acts = [...(screen.getByText(rings).closest('.callpicker')?.querySelectorAll('.acts a') ?? [])]
  expect(acts.map(({ textContent }) => textContent)).toEqual(['Add to your calendar', 'Move or cancel', 'Your calls'])
  const told = waitingMail(world).map(({ text }) => text ?? '')
  expect(told.filter((text) => text.includes(`${rings}.`))).toHaveLength(1)
})

test('the red No signal goes by itself when the signal is back', async () => {
  browser.signIn(world.addMember({ firstName: 'Sam' }))
  await browser.open('/members/catch-up')
  await screen.findByRole('heading', { name: 'Who do you want to talk to?' })
  browser.setSignal(false)
  press(siteContent.coaches[1]?.name ?? '')
  await screen.findByText('No signal')
  browser.setSignal(true)
  await screen.findByRole('radio', { name: 'Monday 15 June' })
  expect(screen.queryByText('No signal')).toBeNull()
})

test('BOOK-3 BOOK-5 BOOK-7 a member books in the place of the outside calendar, as high, covered for as long', async () => {
  browser.signIn(world.addMember({ firstName: 'Sam' }))
  await browser.open('/catch-up?coach=coach-2')
  const calendar = await screen.findByRole('region', { name: /^Booking calendar/, hidden: true })
  expect(calendar.parentElement?.className).toContain('outside__frame--800')
  expect(screen.getByText('Loading calendar...')).toBeTruthy()
  const direct = screen.getByRole('link', { name: 'Open Direct Booking' })
  expect([direct.getAttribute('href'), direct.getAttribute('target')]).toEqual(['/catch-up?coach=coach-2', '_blank'])
  fireEvent.click(await screen.findByRole('radio', { name: 'Monday 15 June' }))
  fireEvent.click(radio(at('09:15')))
  await act(async () => press('Book this call'))
  expect(await screen.findByText('Booked')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Your calls' }).getAttribute('href')).toBe('/members/calls')
  expect(screen.queryByText(/Select your preferred time|Open Direct Booking/)).toBeNull()
  expect(isAfter(another(), screen.getByText('Booked'))).toBe(true)
  expect(bookings()).toMatchObject([{ kind: 'catch-up', coach: 'coach-2', duration: 15, heldUntil: null }])
})

test.each([
  ['standard', 30],
  ['xl', 60],
] as const)('BOOK-1 a member of %s is told %i minutes, and books as many', async (tier, minutes) => {
  browser.signIn(world.addMember({ tier }))
  await browser.open('/book-call?coach=coach-1')
  expect(await screen.findByText(`Each call is ${minutes} minutes.`)).toBeTruthy()
  fireEvent.click(screen.getByRole('radio', { name: 'Monday 15 June' }))
  fireEvent.click(radio(at('09:00')))
  await act(async () => press('Book this call'))
  expect(await screen.findByText('Booked')).toBeTruthy()
  expect(bookings()).toMatchObject([{ kind: 'coaching', duration: minutes }])
})

test('BOOK-1 BOOK-5 who is not logged in comes back to the coach whose times they were choosing from', async () => {
  await browser.open('/catch-up?coach=coach-2')
  const login = await screen.findByRole('link', { name: 'Log in', hidden: true })
  expect(login.getAttribute('href')).toBe(`/login?redirect=${encodeURIComponent('/catch-up?coach=coach-2')}`)
})

test('BOOK-1 whose membership has ended is led to it, and not to a login that brings them back here', async () => {
  browser.signIn(world.addMember({ subscription: { status: 'canceled' } }))
  await browser.open('/book-call?coach=coach-1')
  await screen.findByText('Calls come with a membership')
  const way = screen.getByRole('link', { name: 'See your membership', hidden: true })
  expect(way.getAttribute('href')).toBe('/members?tab=billing')
  expect(screen.queryByText('Log in to book')).toBeNull()
  expect(screen.queryByRole('radio')).toBeNull()
})

test('without signal the page of a call does not say that its link is dead', async () => {
  browser.setDelivery('/api/calendar/call?token=some-token', 'lose-request')
  await browser.open('/book-call?call=some-token')
  await screen.findByRole('heading', { name: 'No signal' })
  expect(screen.queryByText('This link doesn’t work any more')).toBeNull()
})

const slotsOf = (coach: string) => `/api/calendar/slots/coaching?coach=${coach}`

test('the chosen coach is in the address; reloaded without signal, what was chosen and typed is still in sight', {
  tags: ['full'],
}, async () => {
  browser.signIn(world.addMember({ firstName: 'Sam' }))
  const page = await browser.open('/book-call')
  fireEvent.click((await screen.findAllByRole('button', { name: /Owen Pike/ }))[0] ?? document.body)
  await waitFor(() => expect(page.address()).toBe('/book-call?coach=coach-2'))
  fireEvent.click(await screen.findByRole('radio', { name: 'Monday 15 June', hidden: true }))
  fireEvent.click(screen.getByRole('radio', { name: at('09:00'), hidden: true }))
  type(/Anything we should know/, 'Prices')
  await page.close()
  browser.setDelivery(slotsOf('coach-2'), 'lose-request')
  await browser.open('/book-call?coach=coach-2')
  await screen.findByText('No signal')
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Anything we should know/).value).toBe('Prices')
  expect(screen.getByText(/^Monday 15 June, \d\d:00/)).toBeTruthy()
  browser.setDelivery(slotsOf('coach-2'), 'deliver')
  press('Try again')
  await screen.findByRole('radio', { name: 'Monday 15 June' })
  expect(screen.getByLabelText<HTMLTextAreaElement>(/Anything we should know/).value).toBe('Prices')
  await act(async () => press('Book this call'))
  expect(await screen.findByText('Booked')).toBeTruthy()
})

test('a server that hangs: the reason is there instead of a skeleton', { tags: ['full'] }, async () => {
  browser.signIn(world.addMember({}))
  browser.setDelivery(slotsOf('coach-1'), 'hang')
  await browser.open('/book-call?coach=coach-1')
  await screen.findByText('Weak signal')
  expect(document.querySelector('main .skeleton')).toBeNull()
})

test('whose call of this month is booked is told why the times begin next month', { tags: ['full'] }, async () => {
  browser.signIn(world.addMember({ tier: 'standard' }))
  await browser.open('/book-call?coach=coach-1')
  fireEvent.click(await screen.findByRole('radio', { name: 'Monday 15 June' }))
  fireEvent.click(radio(at('09:00')))
  await act(async () => press('Book this call'))
  await screen.findByText('Booked')
  press('Back to the times')
  await screen.findByText('You’ve had or booked your call for June 2026. These times start in July 2026.')
})
