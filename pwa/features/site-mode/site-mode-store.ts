import { useEffect, useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from '#pwa/lib/storage.ts'

export type Hand = 'left' | 'right'
export type SiteMode = { isOn: boolean; hand: Hand }

// The script that runs before the first paint (pwa/inline/theme.ts) reads it too.
const modeKey = 'site-mode'
const handKey = 'site-hand'

const signal = createStorageSignal('alliance:site-mode')

const readText = () =>
  `${deviceStorage.getItem(modeKey) ? 'on' : 'off'} ${deviceStorage.getItem(handKey) === 'left' ? 'left' : 'right'}`

const toMode = (text: string): SiteMode => ({
  isOn: text.startsWith('on'),
  hand: text.endsWith('left') ? 'left' : 'right',
})

/** For work outside: sunlight contrast, large targets, one hand. It belongs to the phone, not to the account. */
export const useSiteMode = (): SiteMode => toMode(useSyncExternalStore(signal.subscribe, readText, () => 'off right'))

export function setSiteMode({ isOn, hand }: SiteMode): void {
  if (isOn) deviceStorage.setItem(modeKey, 'on')
  else deviceStorage.removeItem(modeKey)
  deviceStorage.setItem(handKey, hand)
  signal.notify()
}

export function useSiteModeMark(): void {
  const { isOn, hand } = useSiteMode()
  useEffect(() => {
    const { dataset } = document.documentElement
    if (!isOn) return
    dataset.site = hand
    return () => {
      delete dataset.site
    }
  }, [isOn, hand])
}
