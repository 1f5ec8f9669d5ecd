/** The part of a browser's storage we use. It never throws. */
export type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  keys(): string[]
  /** Whether the browser stores anything for this site. */
  isAvailable(): boolean
}

/** If the browser blocks storage, or it's full, values live as long as this page. */
function createSafeStorage(open: () => Storage): SafeStorage {
  const inMemory = new Map<string, string>()
  const attempt = <Result>(work: (storage: Storage) => Result, fallback: Result): Result => {
    try {
      return work(open())
    } catch {
      return fallback
    }
  }
  const write = (key: string, value: string) =>
    attempt((storage) => {
      storage.setItem(key, value)
      return true
    }, false)
  return {
    getItem: (key) => inMemory.get(key) ?? attempt((storage) => storage.getItem(key), null),
    setItem: (key, value) => {
      if (write(key, value)) inMemory.delete(key)
      else inMemory.set(key, value)
    },
    removeItem: (key) => {
      inMemory.delete(key)
      attempt((storage) => storage.removeItem(key), undefined)
    },
    keys: () => [...new Set([...inMemory.keys(), ...attempt(Object.keys, [])])],
    isAvailable: () => attempt((storage) => storage.getItem('') !== undefined, false),
  }
}

/** Local storage: all tabs, and the next visit. */
export const deviceStorage = createSafeStorage(() => localStorage)

export const tabStorage = createSafeStorage(() => sessionStorage)

/**
 * A local storage key set while the server may not have confirmed a logout (ms since 1970, when the member left). It tells a page
 * without the account code to load it. The device's own store decides whether a logout is pending.
 */
export const pendingLogoutKey = 'logout-owed'

/** A local storage key. The privacy choice belongs to the device, so it survives a logout. */
export const privacyChoiceKey = 'privacy-choice'

/**
 * A local storage key set while a member is logged in, so that the menu has their own pages on public ones too. Its value: since when,
 * ms since 1970.
 */
export const ownPagesKey = 'own-pages'

/** A local storage key set once the owners' admin has been open on this device, so that we don't count their visits. */
export const ownersDeviceKey = 'owners-device'

/** Announces a change of a local storage value: to this page by an event, to other tabs through the browser. */
export const createStorageSignal = (eventName: string) => ({
  notify: () => window.dispatchEvent(new Event(eventName)),
  /** Calls `changed` on each change; returns a function that unsubscribes. */
  subscribe: (changed: () => void) => {
    window.addEventListener(eventName, changed)
    window.addEventListener('storage', changed)
    return () => {
      window.removeEventListener(eventName, changed)
      window.removeEventListener('storage', changed)
    }
  },
})
