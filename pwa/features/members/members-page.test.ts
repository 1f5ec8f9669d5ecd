import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let videos: ReturnType<World['addVideos']>

beforeEach(() => {
  world = startWorld({ env: { COMMUNITY_URL: 'https://community.example/' } })
  videos = world.addVideos()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

async function openAs(more: Parameters<World['addMember']>[0] = {}, path = '/members') {
  const person = world.addMember({ tier: 'lite', membershipStartDate: '2024-03-09T12:00:00.000Z', ...more })
  browser.signIn(person)
  const page = await browser.open(path)
  await screen.findByRole('heading', { level: 1, name: (more.firstName ?? 'Danny').toUpperCase() })
  return page
}

const figure = (label: string) => screen.getByText(label).nextElementSibling?.textContent
const categories = () => screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
function row(title: string) {
  const item = screen.getByRole('heading', { level: 4, name: title }).closest('li')
  if (!item) throw new Error(`No row ${title}`)
  return within(item)
}
const stored = () => world.ctx.sqlite.prepare('select completed from video_progress').all()
const first = 'Where the business is now'
async function press(category: string) {
  const details = screen.getByRole('heading', { name: category }).closest('details')
  if (!details) throw new Error(`${category} does not close`)
  const wasOpen = details.open
  details.open = !wasOpen
  await waitFor(() => expect(details.querySelectorAll('li').length > 0).toBe(!wasOpen))
}
const isOpen = (category: string) => screen.getByRole('heading', { name: category }).closest('details')?.open ?? true

test('MEMB-03 MEMB-07 MEMB-08 MEMB-10 MEMB-13 the header says whose it is, since when, how many and how far', async () => {
  await openAs({ firstName: 'Priya' })
  await screen.findByText('videos available')
  expect(screen.getByText('Member since March 2024')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Logout' }).getAttribute('href')).toBe('/api/logout')
  expect(screen.queryByRole('link', { name: 'Admin' })).toBeNull()
  const community = screen.getByRole('link', { name: /Community/ })
  expect([community.getAttribute('href'), community.getAttribute('target')]).toEqual([
    'https://community.example/',
    '_blank',
  ])
  const [tabs] = screen.getAllByRole('navigation', { name: 'Member pages' })
  expect(
    tabs &&
      within(tabs)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
  ).toEqual(['Dashboard', 'Profile', 'Billing', 'Calls'])
})

test('NAV-07 a logged-in member’s menu has their own pages first, on public pages too; a visitor’s hasn’t', async () => {
  const firstInMenu = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Menu' }))
    const menu = document.querySelector<HTMLElement>('.menu ul')
    return menu && (await within(menu).findAllByRole('link')).slice(0, 3).map(({ textContent }) => textContent)
  }
  await browser.open('/blog')
  expect(await firstInMenu()).toEqual(['HOME', 'ABOUT', 'PODCAST'])
  await openAs()
  await screen.findByText('videos available')
  expect(await firstInMenu()).toEqual(['Dashboard', 'Profile', 'Billing'])
  await browser.open('/blog')
  expect(await firstInMenu()).toEqual(['Dashboard', 'Profile', 'Billing'])
})

test('MEMB-03 every page behind the login has the tabs, its own marked, and a foot of one line', async () => {
  const [video] = videos
  browser.signIn(world.addMember({ tier: 'xl' }))
  for (const [path, tab] of [
    ['/members', 'Dashboard'],
    [`/members/videos/${video?.slug}`, 'Dashboard'],
    ['/members?tab=billing', 'Billing'],
    ['/members/devices', 'Profile'],
    ['/members/sync', 'Profile'],
    ['/members/calls', 'Calls'],
  ] as const) {
    await browser.open(path)
    const pages = await screen.findAllByRole('navigation', { name: 'Member pages' })
    for (const one of pages) expect([path, one.querySelector('[aria-current]')?.textContent]).toEqual([path, tab])
    const foot = within(screen.getByRole('contentinfo'))
    expect(foot.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Privacy', 'Cookies', 'Help'])
  }
  // A mailed link needs no login, so its page is the site’s.
  await browser.open('/members/unsubscribe?token=made-up')
  await screen.findByRole('heading', { level: 1 })
  expect(screen.queryByRole('navigation', { name: 'Member pages' })).toBeNull()
  expect(within(screen.getByRole('contentinfo')).getByText('Quick links')).toBeTruthy()
})

test('MEMB-09 the header counts the videos of the member’s tier, and how many of these are completed', async () => {
  const member = world.addMember({ tier: 'lite' })
  const published = videos.filter(({ isPublished }) => isPublished)
  const seen = published.filter(({ tierAccess }) => tierAccess.includes('lite'))
  expect(published.length).toBeGreaterThan(seen.length)
  for (const { id } of seen.slice(0, 3)) {
    await world.signIn(member)(`/api/video-progress/${id}/complete`, { method: 'POST' })
  }
  // A video that moved to a higher tier no longer counts, even if it was completed.
  const [moved] = seen
  world.ctx.sqlite.prepare(`delete from video_tiers where videoId = ? and tierSlug <> 'xl'`).run(moved?.id)
  invalidateResponses(world.ctx)
  browser.signIn(member)
  await browser.open('/members')
  await waitFor(() => expect(figure('completed')).toBe('2'))
  expect(figure('videos available')).toBe(String(seen.length - 1))
  const [tape] = screen.getAllByRole('progressbar')
  expect([tape?.ariaValueNow, tape?.ariaValueMax]).toEqual(['2', String(seen.length - 1)])
})

test('MEMB-14 MEMB-15 MEMB-17 the categories come in their order, any other after them in capitals; the first three stand open', async () => {
  await openAs({ tier: 'xl' })
  await waitFor(() => row(first))
  const listed = ['Strategy', 'Money', 'Time', 'Marketing', 'Sales', 'Service', 'Systems & Automations', 'Team']
  expect(categories()).toEqual([...listed, 'Leadership', 'GUEST EVENINGS'])
  expect(categories().filter((name) => isOpen(name ?? ''))).toEqual(['Strategy', 'Money', 'Time'])
  expect(screen.getByText('5 videos · 45 min')).toBeTruthy()
  expect(screen.getByText('1 video · 48 min · 0 of 1 done')).toBeTruthy()
})

test('MEMB-18 MEMB-19 PROG-01 ERR-25 ERR-26 a tick goes there and back, and says so', async () => {
  await openAs()
  await waitFor(() => row(first))
  expect(row(first).getByText('Not completed')).toBeTruthy()
  fireEvent.click(row(first).getByRole('button', { name: /Mark Complete/ }))
  await screen.findByText('Video Completed')
  await waitFor(() => expect(row(first).getByText('Completed')).toBeTruthy())
  expect(figure('completed')).toBe('1')
  await waitFor(() => expect(row(first).queryByText(/Waiting|Sending/)).toBeNull())
  fireEvent.click(row(first).getByRole('button', { name: /Mark Incomplete/ }))
  await screen.findByText('Video Marked Incomplete')
  await waitFor(() => expect(row(first).getByText('Not completed')).toBeTruthy())
})

test('today’s card leads with the video that was left, else the next that is not done, and with the call of the tier', async () => {
  const member = world.addMember({ tier: 'standard' })
  const call = world.signIn(member)
  const at = world.ctx.now().toISOString()
  const [one = '', , three = ''] = videos.map(({ id }) => id)
  const sync = (body: object) => call('/api/video-progress/sync', { body: { deviceId: 'van', changes: [], ...body } })
  browser.signIn(member)
  await browser.open('/members')
  const card = () => within(screen.getByRole('region', { name: 'Next' }))
  await waitFor(() => expect(card().getByText(first)).toBeTruthy())
  expect(card().getByRole('link', { name: 'Watch it' }).getAttribute('href')).toBe(
    '/members/videos/where-the-business-is-now#t=0',
  )
  await card().findByText(/30 minutes with a coach/)
  expect(card().getByRole('link', { name: 'Book a call' }).getAttribute('href')).toBe('/members/book-call')
  await call(`/api/video-progress/${one}/complete`, { method: 'POST' })
  await browser.open('/members')
  await waitFor(() => expect(card().getByText('The year on one page')).toBeTruthy())
  await sync({ positions: [{ videoId: three, seconds: 134, at }] })
  await browser.open('/members')
  const resume = await screen.findByRole('link', { name: 'Resume at 2:14' })
  expect(resume.getAttribute('href')).toBe('/members/videos/choosing-the-work-you-want#t=134')
})

test('a video is found without signal, with a letter wrong, and is still found after its page', {
  tags: ['full'],
}, async () => {
  const page = await openAs()
  await waitFor(() => row(first))
  // The searchable texts have arrived, after the list.
  await waitFor(() => expect(browser.network.sent.some(({ path }) => path === '/api/member-videos/texts')).toBe(true))
  fireEvent.click(screen.getByRole('button', { name: 'Find a video' }))
  const search = await screen.findByRole('searchbox', { name: 'Search' })
  fireEvent.change(search, { target: { value: 'one number' } })
  expect((await screen.findAllByRole('link', { name: /^Play from/ })).length).toBeGreaterThan(0)
  browser.setSignal(false)
  await waitFor(() => expect(screen.queryByRole('link', { name: /^Play from/ })).toBeNull())
  expect(screen.getAllByText(/start with one number/).length).toBeGreaterThan(0)
  fireEvent.change(search, { target: { value: 'invioce' } })
  fireEvent.click(await screen.findByRole('link', { name: 'Chasing a late invoice' }), { button: 0 })
  await screen.findByRole('heading', { level: 1, name: 'Chasing a late invoice' })
  page.back()
  expect(await screen.findByDisplayValue('invioce')).toBeTruthy()
})

test('ERR-25 without signal a tick counts and waits, and the area opens again without a request', async () => {
  await openAs()
  await waitFor(() => row(first))
  browser.setSignal(false)
  fireEvent.click(row(first).getByRole('button', { name: /Mark Complete/ }))
  await screen.findByText('Saved on this phone.')
  await screen.findByText('No signal. 1 waiting on this phone.')
  const before = browser.network.sent.length
  await browser.open('/members')
  await waitFor(() => expect(row(first).getByText('Waiting to send')).toBeTruthy())
  await waitFor(() => expect(figure('completed')).toBe('1'))
  await waitFor(() => expect(row(first).getByText('Needs signal')).toBeTruthy())
  expect(row(first).queryByRole('button', { name: /Watch/ })).toBeNull()
  const next = within(screen.getByRole('region', { name: 'Next' }))
  expect(next.getByRole('link').textContent).toBe('Read it Needs signal to watch')
  expect(screen.queryByRole('link', { name: /Community/ })).toBeNull()
  expect(browser.network.sent.length).toBe(before)
  browser.setSignal(true)
  await waitFor(() => expect(row(first).queryByText('Waiting to send')).toBeNull())
  await waitFor(() => expect(row(first).getByText('Completed')).toBeTruthy())
})

test('a category stays as the member left it, but opens by itself where a tick waits', { tags: ['full'] }, async () => {
  await openAs()
  await waitFor(() => row(first))
  expect(isOpen('Marketing')).toBe(false)
  await press('Marketing')
  await press('Sales')
  browser.setSignal(false)
  fireEvent.click(screen.getAllByRole('button', { name: /Mark Complete/ }).at(-1) ?? document.body)
  await screen.findByText('Waiting to send')
  await press('Sales')
  expect(isOpen('Sales')).toBe(false)
  await browser.open('/members')
  await screen.findByText('Waiting to send')
  expect([isOpen('Marketing'), isOpen('Sales'), isOpen('Team')]).toEqual([true, true, false])
})

test('ERR-13 a refused tick says why on its row and in a toast, and can be tried again', async () => {
  await openAs()
  await waitFor(() => row(first))
  await screen.findByText('Your ticks are saved')
  const sync = '/api/video-progress/sync'
  browser.setDelivery(sync, { status: 422, body: { error: { code: 'invalid', message: 'This video is gone.' } } })
  fireEvent.click(row(first).getByRole('button', { name: /Mark Complete/ }))
  await screen.findByText('Failed to mark video as completed')
  browser.setDelivery(sync, 'deliver')
  expect(await row(first).findByText(/Failed to mark video as completed. This video is gone./)).toBeTruthy()
  expect(screen.getByText('1 not saved')).toBeTruthy()
  fireEvent.click(row(first).getByRole('button', { name: /Try again/ }))
  await waitFor(() => expect(row(first).getByText('Completed')).toBeTruthy())
  await waitFor(() => expect(screen.getByText('Your ticks are saved')).toBeTruthy())
})

test('ERR-14 taking a tick back that is refused says so on its row and in a toast, and can be tried again', {
  tags: ['full'],
}, async () => {
  await openAs()
  await waitFor(() => row(first))
  fireEvent.click(row(first).getByRole('button', { name: /Mark Complete/ }))
  await screen.findByText('Your ticks are saved')
  await waitFor(() => expect(row(first).getByText('Completed')).toBeTruthy())
  const sync = '/api/video-progress/sync'
  browser.setDelivery(sync, { status: 422, body: { error: { code: 'invalid', message: 'This video is gone.' } } })
  fireEvent.click(row(first).getByRole('button', { name: /Mark Incomplete/ }))
  await screen.findByText('Failed to mark video as incomplete')
  browser.setDelivery(sync, 'deliver')
  expect(await row(first).findByText(/Failed to mark video as incomplete. This video is gone./)).toBeTruthy()
  fireEvent.click(row(first).getByRole('button', { name: /Try again/ }))
  await waitFor(() => expect(stored()).toEqual([{ completed: 0 }]))
  expect(await row(first).findByText('Not completed')).toBeTruthy()
})

test('VID-8 a player is framed only after a press, with what its host may do', async () => {
  await openAs()
  await waitFor(() => row(first))
  expect(document.querySelector('iframe')).toBeNull()
  fireEvent.click(row(first).getByRole('button', { name: /Watch/ }))
  const iframe = await screen.findByTitle(first)
  expect(iframe.getAttribute('src')).toMatch(/^https:\/\/fast\.wistia\.net\/embed\/iframe\//)
  expect(iframe.getAttribute('sandbox')).not.toContain('allow-top-navigation')
  fireEvent.click(await screen.findByRole('button', { name: 'Close' }))
  await waitFor(() => expect(document.querySelector('iframe')).toBeNull())
})

test('Back closes an open video and nothing else, as the cross and the next video do', { tags: ['full'] }, async () => {
  const page = await openAs()
  await waitFor(() => row(first))
  fireEvent.click(row(first).getByRole('button', { name: /Watch/ }))
  await screen.findByRole('dialog', { name: first })
  page.back()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(page.address()).toBe('/members')
  page.forward()
  await screen.findByRole('dialog', { name: first })
  fireEvent.click(screen.getByRole('button', { name: /^Next: / }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: first })).toBeNull())
  const close = screen.getByRole('button', { name: 'Close' })
  fireEvent.click(close)
  fireEvent.click(close)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(page.address()).toBe('/members')
  expect(row(first)).toBeTruthy()
})

test('behind the sign-in page of a Wi-Fi the line offers to try again', { tags: ['full'] }, async () => {
  await openAs()
  await waitFor(() => row(first))
  browser.setDelivery('/api/video-progress/sync', { status: 200, body: '<html>Please pay for the Wi-Fi</html>' })
  fireEvent.click(row(first).getByRole('button', { name: /Mark Complete/ }))
  await screen.findByText('No signal. 1 waiting on this phone.')
  expect(screen.getByText(/Wi-Fi with a login page\? Log in there first\./)).toBeTruthy()
  browser.setDelivery('/api/video-progress/sync', 'deliver')
  fireEvent.click(screen.getByRole('button', { name: 'Send now' }))
  await screen.findByText('Your ticks are saved')
})

test('MEMB-16 without videos the content is coming soon', async () => {
  world.ctx.sqlite.exec('delete from member_videos')
  await openAs()
  await screen.findByText('Content Coming Soon')
})
