/** As much of a browser's storage as is used; it never throws. */
export type KeptStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  keys(): string[]
  /** Whether the browser keeps anything at all for this site. */
  isOpen(): boolean
}

/** Where the browser keeps it closed, or it is full, what is written lives as long as this page. */
const lenient = (open: () => Storage): KeptStorage => {
  const here = new Map<string, string>()
  const attempt = <Result>(work: (storage: Storage) => Result, otherwise: Result): Result => {
    try {
      return work(open())
    } catch {
      return otherwise
    }
  }
  const write = (key: string, value: string) =>
    attempt((storage) => {
      storage.setItem(key, value)
      return true
    }, false)
  return {
    getItem: (key) => here.get(key) ?? attempt((storage) => storage.getItem(key), null),
    setItem: (key, value) => {
      if (write(key, value)) here.delete(key)
      else here.set(key, value)
    },
    removeItem: (key) => {
      here.delete(key)
      attempt((storage) => storage.removeItem(key), undefined)
    },
    keys: () => [...new Set([...here.keys(), ...attempt(Object.keys, [])])],
    isOpen: () => attempt((storage) => storage.getItem('') !== undefined, false),
  }
}

/** Local storage: all tabs, and the next visit. */
export const deviceStorage = lenient(() => localStorage)

/** Session storage: this tab alone. */
export const tabStorage = lenient(() => sessionStorage)
