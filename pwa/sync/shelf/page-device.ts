import { tabStorage } from '#pwa/lib/storage.ts'
import { hasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import { requestBackgroundSync, shelfSyncTag } from '#pwa/sync/browser-platform.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { createWorkerDevice } from './browser-device.ts'
import type { ShelfDevice } from './device.ts'
import { browserPieceFiles } from './piece-files.ts'
import { writeInWorker } from './piece-writer.ts'

const allowedKey = 'shelf-allowed'

export function createPageDevice(platform: Platform): ShelfDevice {
  const device = createWorkerDevice(platform)
  return {
    ...device,
    files: browserPieceFiles(writeInWorker),
    isAllowed: () => tabStorage.getItem(allowedKey) !== null,
    allow: () => tabStorage.setItem(allowedKey, 'yes'),
    hasUnsentForms: async () => hasStoredForms() && (await device.hasUnsentForms()),
    keepGoing,
  }
}

/** The browser lets go of the screen when the page is hidden, which is also the last that a page hears before it's closed. */
function keepGoing(): () => void {
  let lock: WakeLockSentinel | null = null
  let isOver = false
  const request = async () => {
    void requestBackgroundSync(shelfSyncTag)
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
