import '#pwa/testing/window.ts'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openCalendar } from '#api/testing/calendar.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let title: string

beforeEach(() => {
  world = startWorld()
  title = world.addVideos().find(({ tierAccess }) => tierAccess.includes('lite'))?.title ?? ''
  browser = createBrowser(world)
})

afterEach(async () => {
  vi.useRealTimers()
  await browser.close()
})

const dayMs = 24 * 60 * 60_000
const openAfter = async (days: number, path = '/members') => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(start + days * dayMs)
  await browser.open(path)
}
const start = Date.now()

test('MEMB-05 PROG-02 a phone without signal reminds after three days, warns after 23 and locks after 30, and keeps what waits', async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open('/members')
  await screen.findByText('Your ticks are saved')
  await screen.findAllByText(title)
  browser.setSignal(false)
  const [tick] = await screen.findAllByRole('button', { name: `Mark Complete: ${title}` })
  if (tick) fireEvent.click(tick)
  await screen.findByText(/1 waiting on this phone/)
  await openAfter(4)
  await screen.findByText(/^Not sent for [34] days$/)
  expect(screen.queryByText(/days offline/)).toBeNull()
  await openAfter(24.5)
  await screen.findByText('24 days offline')
  expect(screen.getAllByText(title).length).toBeGreaterThan(0)
  await openAfter(31)
  await screen.findByText('Locked until you’re online')
  expect(screen.queryAllByText(title)).toEqual([])
  await openAfter(31, '/members/sync')
  await screen.findByText('A video')
  expect(screen.queryAllByText(title)).toEqual([])
  await openAfter(31)
  // Getting signal again is the way back.
  browser.setSignal(true)
  expect((await screen.findAllByText(title)).length).toBeGreaterThan(0)
  await screen.findByText('Your ticks are saved')
})

test('MEMB-05 a membership whose end has come while there was no signal locks the list at once', {
  tags: ['full'],
}, async () => {
  const endsOn = new Date(world.ctx.now().getTime() + 2 * dayMs).toISOString()
  browser.signIn(world.addMember({ tier: 'lite', subscription: { status: 'active', cancelAt: endsOn } }))
  await browser.open('/members?tab=billing')
  await screen.findByText(/^Paid until/)
  await browser.open('/members')
  await screen.findAllByText(title)
  browser.setSignal(false)
  await openAfter(4)
  await screen.findByRole('heading', { name: 'Members Only' })
  expect(screen.queryAllByText(title)).toEqual([])
})

const agreed = 'Put day rates up in July'

async function memberWithCall(subscription: { status: 'active'; cancelAt?: string }) {
  openCalendar(world)
  const member = world.addMember({ tier: 'xl', subscription })
  const request = world.signIn(member)
  const body = { kind: 'coaching', coach: 'coach-1', startsAt: '2026-06-15T08:00:00.000Z' }
  expect((await request('/api/calendar/calls', { body })).status).toBe(200)
  const id = world.ctx.sqlite.prepare('select id from coaching_bookings').pluck().get()
  const written = { method: 'PUT', body: { agreed, version: 0 } } as const
  expect((await request(`/api/calendar/mine/${id}/agreed`, written)).status).toBe(200)
  browser.signIn(member)
  await browser.open('/members?tab=billing')
  await screen.findByRole('heading', { name: /Invoices/ })
  await browser.open('/members/calls')
  await screen.findByText(agreed)
}

test('MEMB-05 ERR-25 calls and what was agreed are locked with the list, and open again with signal', {
  tags: ['full'],
}, async () => {
  await memberWithCall({ status: 'active' })
  browser.setSignal(false)
  await openAfter(24.5, '/members/calls')
  await screen.findByText(agreed)
  await openAfter(31, '/members/calls')
  await screen.findByText('Locked until you’re online')
  expect(screen.queryByText(agreed)).toBeNull()
  expect(screen.queryByText(/15 June 2026/)).toBeNull()
  browser.setSignal(true)
  await screen.findByText(agreed)
})

test('MEMB-05 ERR-25 the calls of a membership whose end has come without signal are not shown', {
  tags: ['full'],
}, async () => {
  await memberWithCall({ status: 'active', cancelAt: new Date(world.ctx.now().getTime() + 2 * dayMs).toISOString() })
  browser.setSignal(false)
  await openAfter(4, '/members/calls')
  await screen.findByText('Calls come with a membership.')
  expect(screen.getByRole('link', { name: 'See your membership' }).getAttribute('href')).toBe('/members?tab=billing')
  expect(screen.queryByText(agreed)).toBeNull()
})
