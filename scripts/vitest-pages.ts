import { afterAll } from 'vitest'
import { deviceStorage, tabStorage } from '#pwa/lib/storage.ts'
import { forgetPage } from '#pwa/testing/forget-page.ts'

/** The next file shares this window and its modules, so clear the browser's storage. */
afterAll(() => {
  forgetPage()
  for (const storage of [deviceStorage, tabStorage]) for (const key of storage.keys()) storage.removeItem(key)
})
