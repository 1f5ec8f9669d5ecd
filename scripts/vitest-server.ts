import { afterAll } from 'vitest'

/** Files that share their modules share what is global too: a window left behind breaks others, far from its cause. */
afterAll(() => {
  if ('window' in globalThis) throw new Error('This file leaves a window behind: import /testing/window.ts first.')
})
