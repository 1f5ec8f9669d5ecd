import { useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from './storage.ts'

/** An iPad calls itself a Macintosh; no Mac has a touch screen. */
const isAppleTouch = () =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

/** iPhones and iPads make no offer: people add the site by hand, from Safari's share menu. */
export const needsManualInstall = () => isAppleTouch() && !window.matchMedia('(display-mode: standalone)').matches

const momentKey = 'has-ticked'
const moments = createStorageSignal('alliance:good-moment')

/** A member has just seen what the app is good for: from now on it may be offered for the home screen. */
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
