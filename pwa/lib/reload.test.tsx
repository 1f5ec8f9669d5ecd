import { beforeEach, expect, test, vi } from 'vitest'
import { reportPageView } from './page-views.ts'
import { reloadWhenSafe, trackEditedForms } from './reload.ts'

beforeEach(() => {
  document.body.innerHTML = '<form><input></form>'
  trackEditedForms()
})

const type = () => document.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }))

test('a new version that comes late does not reload over a form that was begun meanwhile', async () => {
  const reload = vi.fn()
  type()
  reloadWhenSafe(reload)
  expect(reload).not.toHaveBeenCalled()
  // Another page, with the form still unsaved.
  reportPageView('/elsewhere')
  await new Promise((resolve) => setTimeout(resolve))
  expect(reload).not.toHaveBeenCalled()
  document.body.innerHTML = ''
  reportPageView('/')
  await expect.poll(() => reload.mock.calls.length).toBe(1)
})

test('without an unsaved form it reloads at once', () => {
  const reload = vi.fn()
  reloadWhenSafe(reload)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a video that plays, here or in the iframe of its host, is not interrupted by a new version', () => {
  const reload = vi.fn()
  document.body.innerHTML = '<main><video></video></main>'
  const video = document.querySelector('video')
  if (video) Object.defineProperty(video, 'paused', { configurable: true, value: false })
  reloadWhenSafe(reload)
  document.body.innerHTML = '<main><iframe title="Film"></iframe></main>'
  reloadWhenSafe(reload)
  expect(reload).not.toHaveBeenCalled()
})
