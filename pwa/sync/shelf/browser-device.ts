import { hasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import { requestPersistentStorage } from '#pwa/sync/browser-platform.ts'
import { openFormStore } from '#pwa/sync/forms/store.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import type { NetworkKind, Room } from '#shared/rules/shelf.ts'
import type { ShelfDevice } from './device.ts'
import { isFilmPlaying, onFilmChange } from './film-sign.ts'
import { browserPieceFiles } from './piece-files.ts'
import { storageBuckets } from './wipe.ts'

export function createBrowserDevice(platform: Platform): ShelfDevice {
  return {
    files: browserPieceFiles(),
    fetch: (path, init) => fetch(path, init),
    room: readRoom,
    network: readNetwork,
    hasUnsentForms: () => hasUnsentForms(platform),
    isFilmPlaying: () => isFilmPlaying('network'),
    isKeptPlaying: () => isFilmPlaying('kept'),
    onChange,
    stayAwake,
  }
}

async function readRoom(): Promise<Room> {
  const { usage = null, quota = null } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {}
  const isSafe = storageBuckets() !== null || (await requestPersistentStorage().catch(() => false))
  return { usage, quota, isSafe }
}

/** https://wicg.github.io/netinfo/: Chromium on Android tells `type`, other browsers nothing. */
type Connection = EventTarget & { type?: string; saveData?: boolean }
const hasConnection = (browser: object): browser is { connection: Connection } => 'connection' in browser
const connection = (): Connection | null => (hasConnection(navigator) ? navigator.connection : null)

const kinds: Partial<Record<string, NetworkKind>> = {
  wifi: 'wifi',
  ethernet: 'wifi',
  cellular: 'mobile',
  wimax: 'mobile',
}

export const readNetwork = (): NetworkKind => kinds[connection()?.type ?? ''] ?? 'unknown'

/** The member has told the browser to be sparing. */
export const savesData = (): boolean => connection()?.saveData === true

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
  const network = connection()
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
