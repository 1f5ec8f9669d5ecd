import { useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from './storage.ts'

/** An iPad says it's a Macintosh, but no Mac has a touch screen. */
const isAppleTouch = () =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

/** iPhones and iPads make no offer: people add the site from Safari's share menu. */
export const needsManualInstall = () => isAppleTouch() && !window.matchMedia('(display-mode: standalone)').matches

const momentKey = 'has-ticked'
const moments = createStorageSignal('alliance:good-moment')

/** Call it when a member has just seen the app being useful. From now on we may offer to install it. */
export function markGoodMoment(): void {
  if (deviceStorage.getItem(momentKey) !== null) return
  deviceStorage.setItem(momentKey, '1')
  moments.notify()
}

export const useIsGoodMoment = (): boolean =>
  useSyncExternalStore(
    moments.subscribe,
    () => deviceStorage.getItem(momentKey) !== null,
    () => false,
  )
