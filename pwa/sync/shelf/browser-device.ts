import { tabStorage } from '#pwa/lib/storage.ts'
import { hasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import { openFormStore } from '#pwa/sync/forms/store.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import type { Room } from '#shared/rules/shelf.ts'
import type { ShelfDevice } from './device.ts'
import { isFilmPlaying, onFilmChange } from './film-sign.ts'
import { networkConnection, readNetwork } from './network.ts'
import { browserPieceFiles } from './piece-files.ts'
import { writeInWorker } from './piece-writer.ts'
import { storageBuckets } from './wipe.ts'

const allowedKey = 'shelf-allowed'

export function createBrowserDevice(platform: Platform): ShelfDevice {
  return {
    files: browserPieceFiles(writeInWorker),
    fetch: (path, init) => fetch(path, init),
    room: readRoom,
    network: readNetwork,
    isAllowed: () => tabStorage.getItem(allowedKey) !== null,
    allow: () => tabStorage.setItem(allowedKey, 'yes'),
    hasUnsentForms: () => hasUnsentForms(platform),
    isFilmPlaying: () => isFilmPlaying('network'),
    isKeptPlaying: () => isFilmPlaying('kept'),
    onChange,
    stayAwake,
  }
}

async function readRoom(): Promise<Room> {
  const { usage = null, quota = null } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {}
  const isSafe = storageBuckets() !== null || ((await navigator.storage?.persisted?.().catch(() => false)) ?? false)
  return { usage, quota, isSafe }
}

async function hasUnsentForms({ database }: Platform): Promise<boolean> {
  if (!hasStoredForms()) return false
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
  const stop = onFilmChange(changed)
  return () => {
    network?.removeEventListener('change', changed)
    stop()
  }
}

/** The browser lets go of the screen when the page is hidden, so it's asked again when it's back. */
function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null
  let isOver = false
  const request = async () => {
    if (isOver || document.visibilityState !== 'visible') return
    lock = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null
    if (isOver) await lock?.release()
  }
  const requestAgain = () => void request()
  document.addEventListener('visibilitychange', requestAgain)
  requestAgain()
  return () => {
    isOver = true
    document.removeEventListener('visibilitychange', requestAgain)
    lock?.release().catch(() => {})
  }
}
