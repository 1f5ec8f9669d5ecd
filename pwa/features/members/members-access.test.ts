import '#pwa/testing/window.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { siteContent } from '#pwa/testing/public-data.ts'
import { useSlowTimers } from '#pwa/testing/slow-timers.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const name = (firstName: string) => screen.findByRole('heading', { level: 1, name: firstName })
const database = async () => (await indexedDB.databases()).map((kept) => kept.name ?? '').sort()

test('MEMB-04 a visitor who is not logged in is told so, and sent to log in after two seconds', async () => {
  useSlowTimers(['setTimeout', 'clearTimeout'])
  try {
    const page = await browser.open('/members?tab=billing')
    expect((await screen.findAllByText('Access Required')).length).toBeGreaterThan(0)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(page.address()).toBe('/members?tab=billing')
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    // Anything not sent by now never will be; the login page may still be on its way.
    vi.useRealTimers()
    const login = `/login?redirect=${encodeURIComponent('/members?tab=billing')}`
    await waitFor(() => expect(page.address()).toBe(login))
  } finally {
    vi.useRealTimers()
  }
})

test('MEMB-05 MEMB-06 MEMB-21 somebody without a membership sees what one gives, the banner, and no videos', async () => {
  browser.signIn(world.addUser({ firstName: 'Sam' }))
  await browser.open('/members')
  await name('SAM')
  await screen.findByRole('heading', { name: 'Members Only' })
  expect(screen.getByText('Member Access Required')).toBeTruthy()
  const [join] = screen.getAllByRole('link', { name: 'JOIN THE MOVEMENT' }).slice(-1)
  expect(join?.getAttribute('href')).toBe('/membership-application')
  await screen.findByText('You don’t have a membership yet. Join to get the videos and the community.')
  expect(screen.getByText('No Active Subscription')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Join' }).getAttribute('href')).toBe('/membership-application')
  const inMain = within(screen.getByRole('main')).getByRole('link', { name: 'JOIN THE MOVEMENT' })
  expect(inMain.className, 'the banner’s is the one filled button').toContain('btn--line')
  expect(screen.queryByRole('link', { name: /Reactivate/i })).toBeNull()
  expect(screen.queryByText('videos available')).toBeNull()
  const sent = browser.network.sent.map(({ path }) => path)
  expect(sent).not.toContain('/api/member-videos')
  expect(sent).not.toContain('/api/video-progress/sync')
})

test('MEMB-11 an address with a tab there never was opens the members’ first page', async () => {
  browser.signIn(world.addMember({ firstName: 'Sam' }))
  await browser.open('/members?tab=videos')
  await name('SAM')
  expect(document.title).toMatch(/^Members:/)
})

test('MEMB-05 whose membership is over is led back to it, and not to an application', async () => {
  const membershipStartDate = '2024-03-09T12:00:00.000Z'
  browser.signIn(world.addMember({ membershipStartDate, subscription: { status: 'canceled' } }))
  await browser.open('/members')
  await screen.findByRole('heading', { name: 'Members Only' })
  await screen.findByText('Member since March 2024')
  expect(await screen.findAllByText(/^Your membership has ended\./)).toHaveLength(1)
  const ways = screen.getAllByRole('link', { name: 'Reactivate' })
  expect(ways.map((way) => way.getAttribute('href'))).toEqual(['/reactivate'])
  expect(within(screen.getByRole('main')).queryByRole('link', { name: /join/i })).toBeNull()
})

test('MEMB-06 one state leads Billing too, once, and sells an owner nothing', { tags: ['full'] }, async () => {
  browser.signIn(world.addUser())
  await browser.open('/members?tab=billing')
  expect(await screen.findAllByText(/^You don’t have a membership yet\./)).toHaveLength(1)
  expect(screen.getByText('No Active Subscription')).toBeTruthy()
  const join = await screen.findByRole('link', { name: 'Join' })
  expect(join.getAttribute('href')).toBe('/membership-application')
  browser.signIn(world.addOwner())
  await browser.open('/members?tab=billing')
  await screen.findByText('You’re an owner, so everything’s open to you.')
  await screen.findByRole('heading', { name: 'Payment method' })
  expect(screen.queryByText('No Active Subscription')).toBeNull()
  expect(screen.queryByRole('link', { name: /^(Reactivate|Join|See your options)$/ })).toBeNull()
})

test('MEMB-06 MEMB-11 an owner sees every published video, the way to the office, and no banner', async () => {
  browser.signIn(world.addOwner())
  await browser.open('/members')
  await name('OLIVE')
  const published = world.ctx.sqlite.prepare('select count(*) as count from member_videos where isPublished = 1').get()
  await screen.findByText('videos available')
  const shown = screen.getByText('videos available').nextElementSibling?.textContent
  expect({ count: Number(shown) }).toEqual(published)
  expect(screen.getByRole('link', { name: 'Admin' }).getAttribute('href')).toBe('/admin')
  expect(screen.queryByText('No Active Subscription')).toBeNull()
})

test('MEMB-01 MEMB-02 who comes back from paying is welcomed, and the address is cleaned', async () => {
  browser.signIn(world.addMember())
  const page = await browser.open(
    '/members?payment_intent=pi_1&payment_intent_client_secret=s&redirect_status=succeeded',
  )
  await screen.findByText('Welcome to the membership!')
  await waitFor(() => expect(page.address()).toBe('/members'))
  // Once its store is open: the next test's logout would wait for one that's still opening.
  await screen.findByText('videos available')
})

test('without a password the form is shown until one is set', { tags: ['full'] }, async () => {
  browser.signIn(world.addMember())
  await browser.open('/members')
  fireEvent.input(await screen.findByLabelText('New password'), { target: { value: 'a long enough one' } })
  fireEvent.click(screen.getByRole('button', { name: 'Set the password' }))
  await screen.findByText('Password set')
  await waitFor(() => expect(screen.queryByLabelText('New password')).toBeNull())
})

test('MEMB-10 logging out leaves nothing of the member here, with signal or without', async () => {
  browser.signIn(world.addMember({ firstName: 'Priya' }))
  await browser.open('/members')
  await name('PRIYA')
  window.localStorage.setItem('selectedTier', '{}')
  window.localStorage.setItem('theme', 'dark')
  browser.setSignal(false)
  fireEvent.click(screen.getByRole('link', { name: 'Logout' }))
  await screen.findByText('You’ll need signal to log in again. Your ticks are safe until you do.')
  fireEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  await screen.findByText('Logged out')
  expect(screen.queryByText('PRIYA')).toBeNull()
  await waitFor(async () => expect(await database()).toEqual(['alliance-device']))
  // Keeps the device's own data and, without signal, that the server has yet to hear of the logout.
  expect({ ...window.localStorage }).toEqual({ theme: 'dark', 'logout-owed': expect.stringMatching(/^\d+$/) })
  expect(browser.cookie).not.toBeNull()
  browser.setSignal(true)
  await waitFor(() => expect(browser.cookie).toBeNull())
  await browser.open('/members')
  expect((await screen.findAllByText('Access Required')).length).toBeGreaterThan(0)
  expect({ ...window.localStorage }).toEqual({ theme: 'dark' })
})

test('PROG-02 another account in this browser shows nothing of the first', { tags: ['full'] }, async () => {
  const danny = world.addMember({ firstName: 'Danny' })
  browser.signIn(danny)
  await browser.open('/members')
  await name('DANNY')
  fireEvent.click((await screen.findAllByRole('button', { name: /Mark Complete/ }))[0] ?? document.body)
  await screen.findByText('Video Completed')
  const priya = world.addMember({ firstName: 'Priya' })
  browser.signIn(priya)
  await browser.open('/members')
  await name('PRIYA')
  await screen.findByText('videos available')
  expect(screen.getByText('completed').nextElementSibling?.textContent).toBe('0')
  await waitFor(async () => expect(await database()).toEqual(['alliance-device', `alliance-member-${priya.id}`]))
})

test('a server in trouble leaves what this device keeps, says so, and tries again when asked', {
  tags: ['full'],
}, async () => {
  browser.signIn(world.addMember({ firstName: 'Priya' }))
  await browser.open('/members')
  await screen.findByText('videos available')
  browser.network.usual = { status: 500, body: { error: { code: 'internal', message: 'Something broke here.' } } }
  await browser.open('/members')
  await name('PRIYA')
  await screen.findByText('This may be out of date')
  await screen.findAllByRole('button', { name: /Mark Complete/ })
  browser.network.usual = 'deliver'
  // The rows appear before the last request has failed, and until then the button can't be clicked.
  fireEvent.click(await screen.findByRole('button', { name: 'Try again', busy: false }))
  await waitFor(() => expect(screen.queryByText('This may be out of date')).toBeNull())
})

test('after a Wi-Fi’s login page the members’ area loads again on its own, though the browser saw no change', {
  tags: ['full'],
}, async () => {
  browser.signIn(world.addMember({ firstName: 'Priya' }))
  await browser.open('/members')
  await screen.findByText('videos available')
  browser.network.usual = 'lose-request'
  await browser.open('/members?tab=profile')
  await name('PRIYA')
  await screen.findByText(/^No signal/)
  browser.network.usual = 'deliver'
  fireEvent.click(await screen.findByRole('button', { name: 'Update now' }))
  await screen.findByText('Your ticks are saved')
  const asked = () => browser.network.sent.filter(({ path }) => path === '/api/billing/subscription')
  await waitFor(() => expect(asked()).toHaveLength(3))
  await waitFor(() => expect(screen.queryByText('This may be out of date')).toBeNull())
})

test('each tab has a title of its own, and so has a path without a page', async () => {
  browser.signIn(world.addMember())
  const titles: string[] = []
  for (const path of ['/members', '/members?tab=profile', '/members?tab=billing', '/no-such-page']) {
    document.title = ''
    await browser.open(path)
    await waitFor(() => expect(document.title).not.toBe(''))
    titles.push(document.title)
  }
  const { name: site } = siteContent.brand
  expect(titles).toEqual([
    `Members: ${site}`,
    `Your profile: ${site}`,
    `Your billing: ${site}`,
    `404 Page Not Found | ${site}`,
  ])
})

test('headings of the logged-out area follow each other', async () => {
  await browser.open('/members')
  await screen.findByRole('heading', { name: 'Access Required' })
  expect(screen.getAllByRole('heading').map(({ tagName }) => tagName)).toEqual(['H1', 'H2'])
})

test('CALLS-5 CALLS-50 within one opening the person is asked for once in 5 minutes, and anew at each opening', {
  tags: ['full'],
}, async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-12T07:40:00Z') })
  try {
    const asked = () => browser.network.sent.filter(({ path }) => path === '/api/auth/user').length
    browser.signIn(world.addMember({ firstName: 'Priya' }))
    const page = await browser.open('/members')
    await screen.findByText('videos available')
    const visitAgain = async () => {
      await page.go('/membership-tiers')
      await screen.findByRole('link', { name: 'Back to home' })
      await page.go('/members')
      await screen.findByText('videos available')
    }
    await waitFor(() => expect(asked()).toBe(1))
    vi.setSystemTime(new Date('2026-06-12T07:44:59Z'))
    await visitAgain()
    expect(asked()).toBe(1)
    vi.setSystemTime(new Date('2026-06-12T07:45:01Z'))
    await visitAgain()
    await waitFor(() => expect(asked()).toBe(2))
    await browser.open('/members')
    await waitFor(() => expect(asked()).toBe(3))
  } finally {
    vi.useRealTimers()
  }
})

test('CALLS-5 somebody without access, who may just have paid, is asked for each time', {
  tags: ['full'],
}, async () => {
  browser.signIn(world.addUser({ firstName: 'Sam' }))
  const page = await browser.open('/members')
  await screen.findByRole('heading', { name: 'Members Only' })
  await page.go('/membership-tiers')
  await screen.findByRole('link', { name: 'Back to home' })
  await page.go('/members')
  await waitFor(() => expect(browser.network.sent.filter(({ path }) => path === '/api/auth/user')).toHaveLength(2))
})

test('V7.4.3 a page signed out from elsewhere hears of it: at a touch, every minute, and when it is shown; without signal it stays', {
  tags: ['full'],
}, async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const asked = () => browser.network.sent.filter(({ path }) => path === '/api/auth/user').length
  const pass = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000))
  const touch = () => fireEvent.pointerDown(document.body)
  const show = (isShown: boolean) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: !isShown })
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
  }
  const ways: Record<string, () => void> = {
    'a touch': () => [pass(14), touch(), pass(1), touch(), touch()],
    'a minute': () => pass(60),
    'shown again': () => [show(false), pass(59), touch(), pass(2), show(true)],
  }
  for (const [way, ask] of Object.entries(ways)) {
    const danny = world.addMember()
    browser.signIn(danny)
    await browser.open('/members')
    await screen.findByText('videos available')
    expect((await world.signIn(danny)('/api/user/sessions/revoke', { body: { others: true } })).status).toBe(200)
    browser.setSignal(false)
    for (const without of Object.values(ways)) without()
    const before = asked()
    expect([way, screen.queryByText('videos available') === null]).toEqual([way, false])
    browser.network.usual = 'deliver'
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: true })
    ask()
    await screen.findByRole('heading', { name: 'You’re logged out' })
    // The page asks once more as the person leaves.
    expect([way, asked() - before]).toEqual([way, 2])
  }
})

test('V7.4.3 a phone signed out by a change of password says why, keeps its tick sealed, and sends it after the login', {
  tags: ['full'],
}, async () => {
  const danny = addWithPassword(world, { email: 'danny@example.com', firstName: 'Danny', accessOverride: 'granted' })
  browser.signIn(danny)
  const page = await browser.open('/members')
  await name('DANNY')
  await screen.findByText('videos available')
  browser.setSignal(false)
  fireEvent.click((await screen.findAllByRole('button', { name: /Mark Complete/ }))[0] ?? document.body)
  await screen.findByText('Saved on this phone.')
  const body = { currentPassword: password, newPassword: 'a-van-that-starts-42' }
  expect((await world.signIn(danny)('/api/auth/change-password', { body })).status).toBe(200)
  browser.setSignal(true)
  await screen.findByRole('heading', { name: 'You’re logged out' })
  const said = screen.getByRole('main').textContent
  expect(said).toContain('Your password was changed, so we’ve logged out your other devices. Log in with the new one.')
  expect(said).toContain('You have 1 tick to send. It’s safe on this phone. Log in to send it.')
  expect(screen.queryAllByText('Access Required')).toEqual([])
  expect(page.address()).toBe('/members')
  const login = within(screen.getByRole('main')).getByRole('link', { name: 'Log in' })
  expect(login.getAttribute('href')).toBe(`/login?redirect=${encodeURIComponent('/members')}`)
  // A login waits for the pending logout, but setting a cookie by hand doesn't.
  await waitFor(() => expect(browser.cookie).toBeNull())
  await waitFor(async () => expect(await database()).toEqual(['alliance-device']))
  browser.signIn(danny)
  await browser.open('/members')
  await waitFor(() => expect(countRows(world, 'video_progress', 'completed = 1')).toBe(1))
})
