import { deviceStorage } from '#pwa/lib/storage.ts'

/** Kept after logging out: it says nothing about the owner, who’ll want it at the next login. */
const key = 'admin-shortcuts'

/** Single-key shortcuts get in the way of dictation, so each device can switch them off (WCAG 2.1.4). */
export const areShortcutsOn = () => deviceStorage.getItem(key) !== 'off'

export const turnShortcuts = (isOn: boolean) =>
  isOn ? deviceStorage.removeItem(key) : deviceStorage.setItem(key, 'off')
