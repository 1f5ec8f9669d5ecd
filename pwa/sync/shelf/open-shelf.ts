import { createBrowserPlatform } from '#pwa/sync/browser-platform.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import { createBrowserDevice } from './browser-device.ts'
import { createShelf, type Shelf } from './shelf.ts'

const shelves = new WeakMap<Engine, Shelf>()

/** This tab's shelf of the member whose engine it is; the first call starts it. */
export function openShelf(engine: Engine): Shelf {
  const known = shelves.get(engine)
  if (known) return known
  const platform = createBrowserPlatform()
  const shelf = createShelf({ store: engine.store, platform, device: createBrowserDevice(platform) })
  shelves.set(engine, shelf)
  shelf.start()
  return shelf
}
