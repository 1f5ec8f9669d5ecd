import { afterAll } from 'vitest'
import { deviceStorage, tabStorage } from '#pwa/lib/storage.ts'

/** The next file shares this window and its modules, so clear the browser's storage. */
afterAll(() => {
  for (const storage of [deviceStorage, tabStorage]) for (const key of storage.keys()) storage.removeItem(key)
})
