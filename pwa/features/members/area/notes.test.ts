import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { notesNow } from './notes.tsx'

let world: World
let browser: Browser
let owner: Call
let danny: TestPerson
beforeEach(() => {
  world = startWorld()
  world.addVideos()
  browser = createBrowser(world)
  owner = world.signIn(world.addOwner())
  danny = world.addMember()
  browser.signIn(danny)
})
afterEach(() => browser.close())

const day = 86_400_000
const at = (ms: number) => new Date(world.ctx.billingNow().getTime() + ms).toISOString()
const add = (body: object = {}) =>
  owner('/api/admin/announcements', {
    body: { title: 'Shut on Monday', text: 'Read [why](/about).', startsAt: at(0), endsAt: at(day), ...body },
  })
const choices = async () => (await world.signIn(danny)('/api/user/mail-choices')).json()

test('an announcement stands on the dashboard, also without signal; put away there it stays away, and the server hears of it', async () => {
  await add()
  await browser.open('/members')
  await screen.findByRole('heading', { name: 'Shut on Monday' })
  expect(screen.getByRole('link', { name: 'why' }).getAttribute('href')).toBe('/about')
  browser.setSignal(false)
  await browser.open('/members')
  fireEvent.click(await screen.findByRole('button', { name: 'Dismiss: Shut on Monday' }))
  await waitFor(() => expect(screen.queryByText('Shut on Monday')).toBeNull())
  const dismissed = () => world.ctx.sqlite.prepare('select count(*) from announcements_put_away').pluck().get()
  expect(dismissed()).toBe(0)
  browser.setSignal(true)
  await waitFor(() => expect(dismissed()).toBe(1))
  await browser.open('/members')
  await screen.findByRole('heading', { name: 'Videos' })
  expect(screen.queryByText('Shut on Monday')).toBeNull()
})

test('without signal each begins and ends by the server’s clock, and a clock that is put back brings none back', () => {
  const shownAfter = (ms: number, clock = { offset: 0, at: 0 }) => {
    const note = { id: 'one', title: 'One', text: [], startsAt: at(day), endsAt: at(2 * day) }
    const notes = { now: at(0), announcements: [note], asksForNews: false }
    return notesNow({ notes, notesSavedAt: Date.now() - ms, dismissed: [], clock }).length
  }
  expect([0, day - 5000, day + 1000, 2 * day - 5000, 2 * day].map((ms) => shownAfter(ms))).toEqual([0, 0, 1, 1, 0])
  // The phone has seen a later time than its clock says now.
  expect(shownAfter(day + 1000, { offset: 0, at: Date.now() + day })).toBe(0)
})

test('who has not said yet is asked once whether they want news; either answer is kept', {
  tags: ['full'],
}, async () => {
  await browser.open('/members')
  fireEvent.click(await screen.findByRole('button', { name: 'Yes, email me' }))
  await screen.findByText('We’ll email you our news')
  await waitFor(() => expect(screen.queryByText('Want our news by email?')).toBeNull())
  expect(await choices()).toContainEqual({ purpose: 'news', isWanted: true })
  danny = world.addMember()
  browser.signIn(danny)
  await browser.open('/members')
  fireEvent.click(await screen.findByRole('button', { name: 'No, thanks' }))
  await waitFor(() => expect(screen.queryByText('Want our news by email?')).toBeNull())
  expect(world.ctx.sqlite.prepare('select purpose from mail_opt_outs').pluck().all()).toEqual(['news'])
})
