import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { trackEditedForms } from '#pwa/lib/reload.ts'
import { useSlowTimers } from '#pwa/testing/slow-timers.ts'
import { WhatsNew } from '#shared/contract/whats-new.ts'
import NewVersion from './new-version.tsx'
import shipped from './whats-new.json'

const load = vi.fn()
const title = 'There’s an update'

beforeEach(() => {
  useSlowTimers()
  vi.stubGlobal('fetch', async () => Response.json(['Bigger buttons', 'Darker ink', ...shipped]))
  trackEditedForms()
})

afterEach(() => {
  cleanup()
  document.body.innerHTML = ''
  load.mockClear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function open(page: string) {
  document.body.innerHTML = page
  render(<NewVersion load={load} onLater={() => {}} />, {
    container: document.body.appendChild(document.createElement('div')),
  })
}

const aSecondLater = () => act(() => vi.advanceTimersByTimeAsync(1_000))

test('ROUTE-1 the notice tells what the version that waits brings, and loads it at one press', async () => {
  open('<main></main>')
  const notice = await screen.findByRole('status')
  await screen.findByText('Bigger buttons')
  expect([...notice.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'Bigger buttons',
    'Darker ink',
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Update' }))
  expect(load).toHaveBeenCalledTimes(1)
  expect(screen.getByRole('button', { name: 'Updating…' }).getAttribute('aria-busy')).toBe('true')
})

test('ROUTE-1 without the list it says no more than it knows', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>Welcome to the Wi-Fi</html>'))
  open('<main></main>')
  await screen.findByText('Bug fixes. You won’t lose anything you’ve typed.')
})

test('ROUTE-1 it never shows over a form that is typed in, and comes once that is gone', async () => {
  open('<main><form><input aria-label="Name"></form></main>')
  await screen.findByText(title)
  fireEvent.input(screen.getByLabelText('Name'), { target: { value: 'R' } })
  expect(screen.queryByText(title)).toBeNull()
  await aSecondLater()
  expect(screen.queryByText(title)).toBeNull()
  document.querySelector('form')?.remove()
  await aSecondLater()
  expect(screen.queryByText(title)).not.toBeNull()
})

test('ROUTE-1 it never shows over a video that plays, here or in its host’s iframe, nor over a payment', async () => {
  open('<main><video></video></main>')
  const video = document.querySelector('video')
  if (!video) throw new Error('There is a film.')
  await screen.findByText(title)
  const setPaused = (value: boolean) => Object.defineProperty(video, 'paused', { configurable: true, value })
  setPaused(false)
  fireEvent(video, new Event('play'))
  expect(screen.queryByText(title)).toBeNull()
  setPaused(true)
  await aSecondLater()
  expect(screen.queryByText(title)).not.toBeNull()
  for (const busy of ['<iframe title="Film"></iframe>', '<form class="pay__form" aria-label="Payment"></form>']) {
    const part = document.createElement('div')
    part.innerHTML = busy
    document.querySelector('main')?.append(part)
    await aSecondLater()
    expect([busy, screen.queryByText(title)]).toEqual([busy, null])
    part.remove()
    await aSecondLater()
    expect(screen.queryByText(title)).not.toBeNull()
  }
})

test('the list that ships is short lines, each once', () => {
  expect(v.parse(WhatsNew, shipped).length).toBeGreaterThan(0)
  expect(new Set(shipped).size).toBe(shipped.length)
})
