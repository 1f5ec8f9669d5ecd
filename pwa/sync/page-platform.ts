import { loadFile } from '#pwa/lib/load-file.ts'
import { reloadWhenSafe } from '#pwa/lib/reload.ts'
import { tabStorage } from '#pwa/lib/storage.ts'
import { tellStorageTrouble } from '#pwa/lib/storage-trouble.ts'
import { createBrowserPlatform } from './browser-platform.ts'
import type { Platform } from './platform.ts'
import { createSpare, type Spare } from './spare.ts'

/** A session storage key for one reload. */
const memoryKey = 'start-in-memory'

const isNeeded = tabStorage.getItem(memoryKey) !== null
tabStorage.removeItem(memoryKey)

const createPageSpare = () =>
  createSpare({
    load: async () => (await loadFile(() => import('./memory.ts'))).createMemory(),
    tell: tellStorageTrouble,
    restart: ({ isInMemory }) =>
      reloadWhenSafe(() => {
        if (isInMemory) tabStorage.setItem(memoryKey, '1')
        window.location.reload()
      }),
    isShown: (name) => name.startsWith('alliance-member-'),
    // A form says that it's saved on this phone. One that can't be is sent at once, or stays where it's typed.
    isReplaced: (name) => name !== 'alliance-forms',
    isNeeded,
  })

const spares = new WeakMap<object, Spare>()

/**
 * A page's: where the browser's databases fail, it goes on in memory, the same for all that name the same `owner`. A worker has
 * nobody to tell, and just fails.
 */
export function createPagePlatform(owner: object): Platform {
  const spare = spares.get(owner) ?? createPageSpare()
  spares.set(owner, spare)
  return { ...createBrowserPlatform(), database: { spare } }
}
