import '#pwa/testing/window.ts'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { forgetPage } from '#pwa/testing/forget-page.ts'

// Lazy loading may take seconds on a busy machine.
configure({ asyncUtilTimeout: 60_000 })
// The test window logs an error for it.
window.scrollTo = () => {}

/** The next test shares this window. */
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  forgetPage()
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})

/** So does the next file. */
afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
