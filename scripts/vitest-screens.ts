import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

/** The next test shares this window. */
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
