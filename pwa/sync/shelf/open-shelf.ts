import { createPagePlatform } from '#pwa/sync/page-platform.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import type { SyncSession } from '#pwa/sync/session/session.ts'
import { createPageDevice } from './page-device.ts'
import { createShelf, type Shelf } from './shelf.ts'

const shelves = new WeakMap<Engine, Shelf>()

/** This tab's shelf of the member whose engine it is. The first call starts it, and the member's leaving ends it. */
export function openShelf(engine: Engine, session: Pick<SyncSession, 'engine' | 'onChange'>): Shelf {
  const known = shelves.get(engine)
  if (known) return known
  const platform = createPagePlatform(session)
  const shelf = createShelf({ store: engine.store, platform, device: createPageDevice(platform) })
  shelves.set(engine, shelf)
  const stopListening = session.onChange(() => {
    if (session.engine() === engine) return
    shelf.stop()
    stopListening()
  })
  if (session.engine() === engine) shelf.start()
  return shelf
}
