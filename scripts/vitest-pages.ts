import { afterAll } from 'vitest'
import { deviceStorage, tabStorage } from '#pwa/lib/storage.ts'

/** The next file has the same window and the same modules: what a browser keeps goes with the file that made it. */
afterAll(() => {
  for (const kept of [deviceStorage, tabStorage]) for (const key of kept.keys()) kept.removeItem(key)
})
