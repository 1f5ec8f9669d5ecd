import '#pwa/testing/window.ts'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { fill, press } from '#pwa/features/forms/testing/filling.ts'
import { captureInstallPrompt } from '#pwa/lib/install-offer.ts'
import { ownPagesKey } from '#pwa/lib/storage.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
// Loaded on demand by the product; imported here, so that no test waits for them.
import './install-dialog.tsx'
import './install-notice.tsx'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  browser = createBrowser(world)
  browser.signIn(world.addMember({ tier: 'lite' }))
})

afterEach(async () => {
  await browser.close()
  vi.restoreAllMocks()
})

const title = 'Add us to your home screen'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
const beAs = (userAgent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)

async function openList() {
  await browser.open('/members')
  await screen.findByText('Your ticks are saved')
}

/** The member has been here before, and is back some hours later. */
async function comeBack() {
  await openList()
  localStorage.setItem(ownPagesKey, String(Date.now() - 5 * 60 * 60_000))
  await openList()
}

const steps = async () =>
  within(await screen.findByRole('dialog'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('MEMB-03 the browser’s offer to install is kept, shown on the second visit, and never again once it was answered', async () => {
  const prompt = vi.fn(async () => {})
  captureInstallPrompt()
  const offered = () =>
    act(
      () =>
        void window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })),
    )
  offered()
  await openList()
  expect(screen.queryByText(title)).toBeNull()
  await comeBack()
  await screen.findByText(title)
  fireEvent.click(screen.getByRole('button', { name: 'Install' }))
  await waitFor(() => expect(screen.queryByText(title)).toBeNull())
  expect(prompt).toHaveBeenCalledTimes(1)
  offered()
  await openList()
  expect(screen.queryByText(title)).toBeNull()
  act(() => void window.dispatchEvent(new Event('appinstalled')))
})

test('MEMB-03 an iPhone, which offers nothing, shows how it’s done by hand, until the member has seen it', async () => {
  beAs(iphone)
  await comeBack()
  fireEvent.click(await screen.findByRole('button', { name: 'Show me how' }))
  await screen.findByText('View More')
  expect(await steps()).toEqual([
    'Press ••• in Safari’s toolbar, then Share. If Share is in the toolbar, press that.',
    'Scroll down, or press View More. Then press Add to Home Screen.',
    'Leave Open as Web App on and press Add. Then open us from your Home Screen.',
  ])
  screen.getByText(/is separate from your browser, so you’ll need to log in once more/)
  fireEvent.click(screen.getByRole('button', { name: 'Done' }))
  await openList()
  expect(screen.queryByText(title)).toBeNull()
})

test('MEMB-03 what waits on a phone is sent before anyone is led away from it, and without signal it says so', async () => {
  beAs(iphone)
  await comeBack()
  const [tick] = await screen.findAllByRole('button', { name: /^Mark Complete: / })
  browser.setSignal(false)
  if (tick) fireEvent.click(tick)
  await screen.findByText(/1 waiting on this phone/)
  fireEvent.click(screen.getByRole('button', { name: 'Show me how' }))
  await screen.findByText('1 tick not sent yet')
  expect(screen.queryByText('View More')).toBeNull()
  browser.setSignal(true)
  await screen.findByText('View More')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(world.ctx.sqlite.prepare('select completed from video_progress').all()).toEqual([{ completed: 1 }])
})

test('MEMB-03 a form that waits is sent before the steps too', async () => {
  beAs(iphone)
  await comeBack()
  await browser.open('/contact')
  await fill({ Name: 'Sam Field', Email: 'sam@example.com', Message: 'Can you ring me about quotes?' })
  browser.setSignal(false)
  press('Send message')
  await screen.findByText(/^Saved on this phone/)
  await browser.open('/members')
  fireEvent.click(await screen.findByRole('button', { name: 'Show me how' }))
  await screen.findByText('1 form not sent yet')
  browser.setSignal(true)
  await screen.findByText('View More')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(world.ctx.sqlite.prepare('select count(*) from contacts').pluck().get()).toBe(1)
})

test('MEMB-03 another app’s browser is told to open Safari first, and one that can do neither is told nothing', async () => {
  beAs(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [LinkedInApp]/9.32.2485',
  )
  await comeBack()
  await screen.findByText('Open us in Safari')
  fireEvent.click(screen.getByRole('button', { name: 'Show me how' }))
  await screen.findByText(/the compass/)
  expect((await steps()).at(1)).toBe('Press Open in Safari or Open in browser.')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  beAs('Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0')
  await openList()
  expect(screen.queryByRole('button', { name: 'Not now' })).toBeNull()
})

test('MEMB-14 the shortcut “Next lesson” opens the video to go on with', async () => {
  const page = await browser.open('/members#next-lesson')
  await waitFor(() => expect(page.address()).toMatch(/^\/members\/videos\//))
})
