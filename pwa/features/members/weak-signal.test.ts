import '#pwa/testing/window.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
// Loaded on demand by the product; imported here, so that no test waits for them.
import '#pwa/features/billing/billing-overview.tsx'
import '#pwa/features/members/calls/calls-page.tsx'
import './phone/phone-page.tsx'
import './phone/storage-section.tsx'
import './phone/sync.tsx'
import '#pwa/features/profile/profile-tab.tsx'

let world: World
let browser: Browser
let title: string
let address: string

beforeEach(() => {
  world = startWorld()
  const video = world.addVideos().find(({ tierAccess }) => tierAccess.includes('lite'))
  title = video?.title ?? ''
  address = `/members/videos/${video?.slug}`
  browser = createBrowser(world)
  browser.signIn(world.addMember({ tier: 'lite', firstName: 'Danny' }))
})

afterEach(() => browser.close())

const isLoading = () => document.querySelector('main .skeleton, main [aria-busy=true]') !== null

test('MEMB-03 PROG-02 a server that hangs: every page of a member shows what the phone has, and says as of when', {
  tags: ['full'],
}, async () => {
  await browser.open('/members')
  await screen.findAllByText(title)
  await screen.findByText(/^Your ticks are saved/)
  await browser.open('/members?tab=profile')
  await screen.findByRole('button', { name: 'Edit profile' })
  await waitFor(() => expect(isLoading()).toBe(false))
  await browser.open('/members?tab=billing')
  await screen.findByText(/^Your ticks are saved/)
  browser.network.usual = 'hang'
  const shown: [path: string, words: RegExp | string][] = [
    ['/members', title],
    ['/members?tab=profile', 'Edit profile'],
    ['/members?tab=billing', /As of /],
    [address, title],
    ['/members/calls', 'No calls booked.'],
    ['/members/sync', 'Nothing to send here'],
    ['/members/storage', 'Saved on this phone'],
  ]
  for (const [path, words] of shown) {
    await browser.open(path)
    await waitFor(() => expect(`${path} ${document.querySelector('main')?.textContent}`).toMatch(words))
    if (!/sync|storage/.test(path)) await screen.findByText(/^Weak signal\. Last updated \d\d:\d\d\.$/)
    await waitFor(() => expect([path, isLoading()]).toEqual([path, false]))
  }
})

test('MEMB-03 with nothing on the phone a hanging server leaves no skeleton, but the reason; the answer shows when it comes', {
  tags: ['full'],
}, async () => {
  browser.network.usual = 'hang'
  for (const [path, heading] of [
    ['/members', 'Dashboard'],
    ['/members/wallet', 'Coaches and invoices'],
    ['/members/sync', 'What’s been sent'],
    [address, 'Video'],
  ] as const) {
    const page = await browser.open(path)
    await screen.findByRole('heading', { level: 1, name: heading })
    await screen.findByText('Weak signal')
    await waitFor(() => expect(isLoading()).toBe(false))
    screen.getByRole('heading', { level: 1, name: heading })
    await page.close()
  }
  await browser.open('/members/devices')
  await screen.findByText('Weak signal')
  await waitFor(() => expect(isLoading()).toBe(false))
  browser.network.usual = 'deliver'
  await browser.open('/members')
  await screen.findAllByText(title)
  await waitFor(() => expect(screen.queryByText(/^Weak signal/)).toBeNull())
})

test('REAC-1 the page that restarts a membership says so too, while the server hangs', { tags: ['full'] }, async () => {
  browser.network.usual = 'hang'
  await browser.open('/reactivate')
  await screen.findByText('Weak signal')
  expect(isLoading()).toBe(false)
})
