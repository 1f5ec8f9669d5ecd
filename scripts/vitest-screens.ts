import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

/** The window is the next test’s too. */
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
