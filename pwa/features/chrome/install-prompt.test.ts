import '#pwa/testing/window.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { captureInstallPrompt } from '#pwa/lib/install-offer.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  browser = createBrowser(world)
  browser.signIn(world.addMember({ tier: 'lite' }))
})

afterEach(() => browser.close())

const title = 'Add us to your home screen'
const tick = async () => {
  const [button] = await screen.findAllByRole('button', { name: /^Mark Complete: / })
  if (button) fireEvent.click(button)
  await screen.findByText('Video Completed')
}

test('MEMB-03 the browser’s offer to install is kept, shown after the first tick, and never again once it was answered', {
  tags: ['full'],
}, async () => {
  const prompt = vi.fn(async () => {})
  captureInstallPrompt()
  const offered = () =>
    act(
      () =>
        void window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })),
    )
  offered()
  await browser.open('/members')
  await screen.findByText('Your ticks are saved')
  expect(screen.queryByText(title)).toBeNull()
  await tick()
  await screen.findByText(title)
  fireEvent.click(screen.getByRole('button', { name: 'Install' }))
  await waitFor(() => expect(screen.queryByText(title)).toBeNull())
  expect(prompt).toHaveBeenCalledTimes(1)
  offered()
  await browser.open('/members')
  await screen.findByText('Your ticks are saved')
  expect(screen.queryByText(title)).toBeNull()
  act(() => void window.dispatchEvent(new Event('appinstalled')))
})

test('MEMB-03 an iPhone, which offers nothing, is told how to do it by hand, until it says not now', {
  tags: ['full'],
}, async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
  await browser.open('/members')
  await screen.findByText('Your ticks are saved')
  await tick()
  await screen.findByText(/^Press Share in Safari/)
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }))
  await browser.open('/members')
  await screen.findByText('Your ticks are saved')
  expect(screen.queryByText(title)).toBeNull()
  vi.restoreAllMocks()
})

test('MEMB-14 the shortcut “Next lesson” opens the video to go on with', async () => {
  const page = await browser.open('/members#next-lesson')
  await waitFor(() => expect(page.address()).toMatch(/^\/members\/videos\//))
})
