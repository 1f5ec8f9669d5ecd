import { afterAll } from 'vitest'

/** Test files that share their modules share the globals too: a window left behind breaks a later file, far from its cause. */
afterAll(() => {
  if ('window' in globalThis) throw new Error('This file leaves a window behind: import /testing/window.ts first.')
})
