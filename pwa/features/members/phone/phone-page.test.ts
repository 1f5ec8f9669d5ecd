import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
// Loaded on demand by the product; imported here, so that no test waits for them.
import './phone-page.tsx'
import './storage-section.tsx'
import './sync.tsx'
import { formatBytes } from '#shared/values/media.ts'

let world: World
let browser: Browser
let danny: TestPerson
let titles: string[]
beforeEach(() => {
  world = startWorld()
  titles = world.addVideos().flatMap(({ title, tierAccess }) => (tierAccess.includes('lite') ? [title] : []))
  browser = createBrowser(world)
  danny = world.addMember({ tier: 'lite', firstName: 'Danny' })
  browser.signIn(danny)
})
afterEach(() => browser.close())

const title = () => titles[0] ?? ''
const databases = async () => (await indexedDB.databases()).map(({ name = '' }) => name).sort()
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const stored = () => world.ctx.sqlite.prepare('select completed from video_progress').all()

async function tickWithoutSignal() {
  await browser.open('/members')
  await screen.findAllByText(title())
  browser.setSignal(false)
  const [row] = await screen.findAllByRole('button', { name: `Mark Complete: ${title()}` })
  if (row) fireEvent.click(row)
  await screen.findByText(/1 waiting on this phone/)
}

const storageOf = (storage: object) =>
  Object.defineProperty(navigator, 'storage', { configurable: true, value: storage })

test('PROG-02 the sync page shows what waits, without signal, and discards it; the server never hears of it', async () => {
  await tickWithoutSignal()
  await browser.open('/members/sync')
  const list = await screen.findByRole('region', { name: 'Not sent yet' })
  expect(list.textContent).toContain(title())
  expect(list.textContent).toContain('Waiting to send')
  await press(`Discard: ${title()}`)
  await screen.findByText('Nothing to send here')
  browser.setSignal(true)
  await screen.findByText('Your ticks are saved')
  expect(stored()).toEqual([])
})

test('what they said they’d do is counted and listed among what waits', async () => {
  await browser.open('/members/commitments')
  fireEvent.change(await screen.findByLabelText('I’ll…'), { target: { value: 'Ring three builders by Friday' } })
  browser.setSignal(false)
  await press('Put it on my list')
  await screen.findByText(/1 not sent yet/)
  await browser.open('/members')
  await screen.findByText(/1 waiting on this phone/)
  await browser.open('/members/sync')
  const list = await screen.findByRole('region', { name: 'Not sent yet' })
  expect(list.textContent).toMatch(/Ring three builders.*Waiting to send/)
  browser.setSignal(true)
  await screen.findByText('Nothing to send here')
})

test('PROG-02 what waits is sent by Retry, and is then among the last on the site', { tags: ['full'] }, async () => {
  await tickWithoutSignal()
  await browser.open('/members/sync')
  await screen.findByText('Waiting to send')
  browser.setSignal(true)
  await screen.findByText('Nothing to send here')
  const list = screen.getByRole('region', { name: 'Last sent' })
  expect(within(list).getByText(title()).parentElement?.textContent).toContain('Sent')
  expect(stored()).toEqual([{ completed: 1 }])
})

test('MEMB-10 remove everything asks where something waits, and leaves nothing of it, without signal too', async () => {
  storageOf({ estimate: async () => ({ usage: 1_400_000, quota: 2_000_000_000 }), persist: async () => false })
  await tickWithoutSignal()
  await browser.open('/members/storage')
  await screen.findByText('1.4 MB of 2.0 GB')
  await press('Keep it even when the phone is full')
  await screen.findByText('Your browser said no')
  await press('Remove everything')
  await screen.findByText('1 change not sent yet')
  await press('Keep')
  await press('Remove everything')
  await press('Remove and lose them')
  await waitFor(async () => expect(await databases()).toEqual(['alliance-device']))
  browser.setSignal(true)
  // The pending logout has reached the server.
  await waitFor(() => expect(browser.cookie).toBeNull())
  browser.signIn(danny)
  await browser.open('/members')
  await screen.findByText('Your ticks are saved')
  expect(stored()).toEqual([])
})

test('remove everything names a question that isn’t sent, and staying keeps it', async () => {
  await browser.open('/members/ask')
  fireEvent.change(await screen.findByLabelText('What’s your question?'), { target: { value: 'Which valve?' } })
  browser.setSignal(false)
  await press('Send')
  await screen.findByText(/It’s safe on this phone/)
  await browser.open('/members/storage')
  await press('Remove everything')
  await press('Remove and log out')
  await screen.findByText(/Which valve\?/)
  await press('Stay logged in')
  await browser.open('/members/questions')
  await screen.findByText('Which valve?')
})

test('MEMB-10 a phone that has not opened the list yet says how the videos get onto it', async () => {
  await browser.open('/members/storage')
  await screen.findByText('None yet. Open your list while you’re online.')
  await browser.open('/members')
  await screen.findAllByText(title())
  await browser.open('/members/storage')
  expect(await screen.findByText('Videos in your list')).toBeTruthy()
  await screen.findByText(/^\d+(, notes for \d+)?$/)
})

test('MEMB-10 a phone that says yes keeps the data safe, and one that says nothing is said so', async () => {
  let isPersistent = false
  storageOf({
    persisted: async () => isPersistent,
    persist: async () => {
      isPersistent = true
      return true
    },
  })
  await browser.open('/members/storage')
  await screen.findByText('Your browser won’t say')
  await press('Keep it even when the phone is full')
  await screen.findByText('Safe')
})

test('MEMB-10 in Safari it says what’s cleared after a week without us, and what helps; from the home screen it doesn’t', async () => {
  const title = 'Open us once a week'
  await browser.open('/members/storage')
  await screen.findByText('Saved on this phone')
  expect(screen.queryByText(title)).toBeNull()
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1'
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iphone)
  await tickWithoutSignal()
  await browser.open('/members/storage')
  await screen.findByText(title)
  screen.getByText('You’d lose 1 change not sent yet.')
  await press('Show me how')
  await screen.findByRole('dialog', { name: 'Add us to your home screen' })
  await press('Close')
  Object.assign(navigator, { standalone: true })
  await browser.open('/members/storage')
  await screen.findByText('Saved on this phone')
  expect(screen.queryByText(title)).toBeNull()
  Reflect.deleteProperty(navigator, 'standalone')
  vi.restoreAllMocks()
})

test('MEMB-10 where there’s little room, it says what a private window would lose', async () => {
  storageOf({ estimate: async () => ({ usage: 1_000, quota: 1_000_000_000 }), persisted: async () => false })
  await browser.open('/members/storage')
  await screen.findByText('Is this a private window?')
  storageOf({ estimate: async () => ({ usage: 1_000, quota: 40_000_000_000 }), persisted: async () => false })
  await browser.open('/members/storage')
  await screen.findByText(/of 40 GB/)
  expect(screen.queryByText('Is this a private window?')).toBeNull()
})

test('PROG-02 what waits goes first when the app is opened again', async () => {
  await tickWithoutSignal()
  const { sent } = browser.network
  const before = sent.length
  browser.setSignal(true)
  await browser.open('/members')
  await screen.findByText('Your ticks are saved')
  // Who’s logged in comes before anything of theirs.
  const [first] = sent.slice(before).filter(({ path }) => path !== '/api/auth/user')
  expect(first).toMatchObject({ path: '/api/video-progress/sync', body: { changes: [{ completed: true }] } })
  expect(stored()).toEqual([{ completed: 1 }])
})

test('sizes read as people say them', () => {
  expect([900, 99_000, 1_440_000, 23_400_000, 10_738_000_000].map(formatBytes)).toEqual([
    '1 kB',
    '99 kB',
    '1.4 MB',
    '23 MB',
    '11 GB',
  ])
})
