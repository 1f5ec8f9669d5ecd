import { fetchWhileHere } from '#pwa/lib/page-life.ts'
import { openFormStore } from '#pwa/sync/forms/store.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { readRoom } from '#pwa/sync/room.ts'
import type { ShelfDevice } from './device.ts'
import { networkConnection, readNetwork, savesData } from './network.ts'
import { browserPieceFiles } from './piece-files.ts'
import { isVideoPlaying, onPlayingChange } from './playing-sign.ts'

/** What the service worker has, and the pages too. What only a page has is in page-device.ts. */
export const createWorkerDevice = (platform: Platform): ShelfDevice => ({
  files: browserPieceFiles(),
  fetch: (path, init) => fetchWhileHere(init, () => fetch(path, init)),
  room: readRoom,
  network: readNetwork,
  savesData,
  // The member has said so for as long as the app is open.
  isAllowed: () => false,
  allow: () => {},
  hasUnsentForms: () => hasUnsentForms(platform),
  isVideoPlaying: () => isVideoPlaying('network'),
  isKeptPlaying: () => isVideoPlaying('kept'),
  onChange,
  keepGoing: () => () => {},
})

async function hasUnsentForms({ database }: Platform): Promise<boolean> {
  const { dexie, entries } = openFormStore(database)
  try {
    return (await entries.where('state').notEqual('refused').count()) > 0
  } finally {
    dexie.close()
  }
}

function onChange(changed: () => void): () => void {
  const network = networkConnection()
  network?.addEventListener('change', changed)
  const stop = onPlayingChange(changed)
  return () => {
    network?.removeEventListener('change', changed)
    stop()
  }
}
