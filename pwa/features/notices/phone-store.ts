import { seeBrowser } from '#pwa/lib/see-browser.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import type { PushSubscription as StoredSubscription } from '#shared/contract/notices.ts'
import { isAppleTouch } from '#shared/rules/browser-kind.ts'

/**
 * `install`: an iPhone takes notices in the installed app alone. `denied`: only the person can allow it, in the phone's settings.
 * `never`: this browser has none.
 */
export type PushWay = 'can' | 'install' | 'denied' | 'never'

export function pushWay(): PushWay {
  const seen = seeBrowser()
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!canPush) return isAppleTouch(seen) && !seen.isStandalone ? 'install' : 'never'
  return Notification.permission === 'denied' ? 'denied' : 'can'
}

/** Local storage: the member wants notices on this phone. A logout deletes it. */
const wantedKey = 'notices'

export const isWantedHere = (): boolean => deviceStorage.getItem(wantedKey) !== null

/** The worker may not be there yet, or never come where it's switched off. */
const workerMs = 10_000

async function registration(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('No worker came.')), workerMs)
  })
  return Promise.race([navigator.serviceWorker.ready, late])
}

/** Asks the person if they haven't been asked. Call it from a press alone. False if they said no. */
export const askPermission = async (): Promise<boolean> => (await Notification.requestPermission()) === 'granted'

/**
 * This browser's address at its push service, made with the site's key. `isNew`: the server has none, and may have been told that the
 * one known here is gone.
 */
export async function subscribeHere(key: string, { isNew }: { isNew: boolean }): Promise<StoredSubscription> {
  const { pushManager } = await registration()
  const known = await pushManager.getSubscription()
  // One made with another key takes nothing of ours.
  if (known && (isNew || !isSameKey(known.options.applicationServerKey, key))) await known.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) })
  deviceStorage.setItem(wantedKey, '1')
  const { endpoint, keys = {} } = subscription.toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
}

export async function unsubscribeHere(): Promise<void> {
  deviceStorage.removeItem(wantedKey)
  const found = await (await registration()).pushManager.getSubscription()
  await found?.unsubscribe()
}

export const isSubscribedHere = async (): Promise<boolean> =>
  (await (await registration()).pushManager.getSubscription()) !== null

/** Closes what was read on another device since. */
export async function closeOpened(opened: readonly string[]): Promise<void> {
  const shown = await (await registration()).getNotifications()
  for (const notice of shown) if (opened.includes(idOf(notice.data))) notice.close()
}

const idOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string' ? data.id : ''

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

/** Browsers that don't tell it keep the subscription. */
function isSameKey(used: ArrayBuffer | null, key: string): boolean {
  if (used === null) return true
  const [one, other] = [new Uint8Array(used), bytesOf(key)]
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
