import { afterAll } from 'vitest'

/** Test files that share modules share globals too: a leftover window breaks a later file, far from the cause. */
afterAll(() => {
  if ('window' in globalThis) throw new Error('This file leaves a window behind: import /testing/window.ts first.')
})
