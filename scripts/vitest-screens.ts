import '#pwa/testing/window.ts'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { noteUnloads } from '#pwa/lib/leaving.ts'

// Lazy loading may take seconds on a busy machine.
configure({ asyncUtilTimeout: 60_000 })
// The test window logs an error for it.
window.scrollTo = () => {}

/** As if the page had been left long ago. A stopped clock starts at 0, which is before a departure of an earlier test. */
function forgetDepartures() {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(-60_000)
  const stopNoting = noteUnloads()
  window.dispatchEvent(new Event('beforeunload'))
  stopNoting()
  clock.mockRestore()
}

/** The next test shares this window. */
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  forgetDepartures()
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
