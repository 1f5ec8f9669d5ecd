import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCalendar } from '#api/testing/calendar.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  openCalendar(world)
  world.addVideos()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const path = '/members/calls'

async function bookedMember() {
  const member = world.addMember({ tier: 'xl' })
  const body = { kind: 'coaching', coach: 'coach-1', startsAt: '2026-06-15T08:00:00.000Z' }
  expect((await world.signIn(member)('/api/calendar/calls', { body })).status).toBe(200)
  browser.signIn(member)
  return member
}
const id = () => String(world.ctx.sqlite.prepare('select id from coaching_bookings').pluck().get())

test('BOOK-1 today’s card leads to the member’s calls, where one is cancelled with a second press', async () => {
  await bookedMember()
  const page = await browser.open('/members')
  fireEvent.click(await screen.findByRole('link', { name: 'Your calls' }), { button: 0 })
  await screen.findByRole('heading', { level: 1, name: 'Your calls' })
  expect(page.address()).toBe(path)
  const call = within(await screen.findByRole('article', { name: /Monday 15 June 2026, 09:00/ }))
  expect(call.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')).toMatch(/call\.ics\?token=/)
  fireEvent.click(call.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await call.findByRole('button', { name: 'Yes, cancel it' }))
  expect(await screen.findByText('No calls booked.')).toBeTruthy()
  expect(screen.getByRole('link', { name: /Book a 60-minute call/ }).getAttribute('href')).toBe('/members/book-call')
})

test('ERR-25 what was agreed is written with signal, kept while typed, and read without signal', async () => {
  await bookedMember()
  await browser.open(path)
  fireEvent.click(await screen.findByRole('button', { name: 'Write it down' }))
  const field = await screen.findByLabelText(/What you agreed/)
  fireEvent.change(field, { target: { value: 'Ring the bank by Friday' } })
  await browser.open(path)
  const again = await screen.findByLabelText(/What you agreed/)
  expect(again).toHaveProperty('value', 'Ring the bank by Friday')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/Written by you/)
  const owner = world.signIn(world.addOwner())
  const body = { agreed: 'Ring the bank, then me', version: 1 }
  await owner(`/api/admin/calendar/calls/${id()}/agreed`, { method: 'PUT', body })
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
  fireEvent.change(await screen.findByLabelText(/What you agreed/), { target: { value: 'Mine' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Your coach has changed this since you opened it')
  fireEvent.click(screen.getByRole('button', { name: 'Take theirs' }))
  await screen.findByText('Ring the bank, then me')
  await screen.findByText(/Written by your coach/)
  browser.setSignal(false)
  await browser.open(path)
  await screen.findByText('Ring the bank, then me')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull())
})

test('BOOK-1 the wallet says that no call is booked once it knows, not while it asks', { tags: ['full'] }, async () => {
  await bookedMember()
  await browser.open('/members/storage')
  await screen.findByText('Saved on this phone')
  browser.network.usual = 'hang'
  await browser.open('/members/wallet')
  await screen.findByRole('heading', { name: 'Next calls' })
  expect(screen.queryByText('No calls booked.')).toBeNull()
})

test('where the signal goes while the calls are read, the page says why nothing of them can be changed', {
  tags: ['full'],
}, async () => {
  await bookedMember()
  await browser.open(path)
  await screen.findByRole('button', { name: 'Move' })
  browser.setSignal(false)
  await screen.findByText(/^No signal\. This is what’s saved on your phone/)
  expect(screen.queryByRole('button', { name: 'Move' })).toBeNull()
  expect(screen.getByRole('button', { name: /Book a short catch-up Needs signal/ })).toHaveProperty('disabled', true)
  browser.setSignal(true)
  await screen.findByRole('button', { name: 'Move' })
  expect(screen.queryByText(/^No signal/)).toBeNull()
})
