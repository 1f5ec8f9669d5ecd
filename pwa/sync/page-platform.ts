import { reloadWhenSafe } from '#pwa/lib/reload.ts'
import { tabStorage } from '#pwa/lib/storage.ts'
import { tellStorageTrouble } from '#pwa/lib/storage-trouble.ts'
import { createBrowserPlatform } from './browser-platform.ts'
import type { Platform } from './platform.ts'
import { createSpare } from './spare.ts'

/** A session storage key for one reload. */
const memoryKey = 'start-in-memory'

const isNeeded = tabStorage.getItem(memoryKey) !== null
tabStorage.removeItem(memoryKey)

const spare = createSpare({
  load: async () => (await import('./memory.ts')).createMemory(),
  tell: tellStorageTrouble,
  restart: ({ isInMemory }) =>
    reloadWhenSafe(() => {
      if (isInMemory) tabStorage.setItem(memoryKey, '1')
      window.location.reload()
    }),
  isShown: (name) => name.startsWith('alliance-member-'),
  isNeeded,
})

/** A page's: where the browser's databases fail, it goes on in memory. A worker has nobody to tell, and just fails. */
export const createPagePlatform = (): Platform => ({ ...createBrowserPlatform(), database: { spare } })
