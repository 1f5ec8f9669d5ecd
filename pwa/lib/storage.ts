/** The part of a browser's storage that is used; it never throws. */
export type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  keys(): string[]
  /** Whether the browser stores anything at all for this site. */
  isAvailable(): boolean
}

/** Where the browser blocks it, or it is full, what is written lives as long as this page. */
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

/** Session storage: this tab alone. */
export const tabStorage = createSafeStorage(() => sessionStorage)

/**
 * A key of local storage that is set while the server may not have confirmed a logout, so that a page without the code of
 * accounts knows to load it: ms since 1970, when the member left. The device's own store decides whether one is pending.
 */
export const pendingLogoutKey = 'logout-owed'

/** A key of local storage. The privacy choice belongs to the device, so it outlives a logout. */
export const privacyChoiceKey = 'privacy-choice'

/** A key of local storage that is set once the owners' admin was open on this device: their own visits are not counted. */
export const ownersDeviceKey = 'owners-device'

/** Announces that a value of local storage has changed: to this page by an event, to the others by the browser. */
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
