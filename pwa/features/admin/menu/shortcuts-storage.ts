import { deviceStorage } from '#pwa/lib/storage.ts'

/** Logging out leaves it: it says nothing about the owner, and they need it at the next login. */
const key = 'admin-shortcuts'

/** Keys without Ctrl get in the way of dictation, so each device can do without them (WCAG 2.1.4). */
export const areShortcutsOn = () => deviceStorage.getItem(key) !== 'off'

export const turnShortcuts = (isOn: boolean) =>
  isOn ? deviceStorage.removeItem(key) : deviceStorage.setItem(key, 'off')
