import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// What is loaded on demand may take seconds on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

/** The next test shares this window. */
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})
