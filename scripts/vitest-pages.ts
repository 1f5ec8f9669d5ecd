import { afterAll } from 'vitest'

/** The next file has the same window: what a browser keeps goes with the file that made it. */
afterAll(() => {
  localStorage.clear()
  sessionStorage.clear()
})
