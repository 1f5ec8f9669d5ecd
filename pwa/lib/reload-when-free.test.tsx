import { beforeEach, expect, test, vi } from 'vitest'
import { watchForms } from './form-in-hand.ts'
import { reportPageView } from './page-views.ts'
import { reloadWhenFree } from './reload-when-free.ts'

beforeEach(() => {
  document.body.innerHTML = '<form><input></form>'
  watchForms()
})

const type = () => document.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }))

test('a new version that comes late does not take a form that was begun meanwhile', async () => {
  const reload = vi.fn()
  type()
  reloadWhenFree(reload)
  expect(reload).not.toHaveBeenCalled()
  // Another page, and still a form in hand.
  reportPageView('/elsewhere')
  await new Promise((resolve) => setTimeout(resolve))
  expect(reload).not.toHaveBeenCalled()
  document.body.innerHTML = ''
  reportPageView('/')
  await vi.waitUntil(() => reload.mock.calls.length === 1)
})

test('with nothing in hand it loads at once', () => {
  const reload = vi.fn()
  reloadWhenFree(reload)
  expect(reload).toHaveBeenCalledTimes(1)
})
